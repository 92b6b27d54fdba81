public import GStreamerKit

/// What a client may take of the host's time and places.
public struct ConnectionLimits: Sendable, Equatable {
    /// From the connection, or the first byte of a later request, to the end of its header fields. People type faster.
    public var head = ClockTime.seconds(10)
    /// From there to the end of the body: 1 MiB by a mobile connection.
    public var body = ClockTime.seconds(30)
    /// A client that takes nothing of its answer for so long has stopped reading; of a long one it is to take some 30 KiB
    /// (`DownloadPace`).
    public var writing = ClockTime.seconds(30)
    /// Between two requests: longer than the pages and scripts that ask every half minute.
    public var idle = ClockTime.seconds(60)
    /// A client that is still sending when it was refused may read why before the connection goes.
    public var linger = ClockTime.seconds(2)
    /// More wait until one ends. More than requests may wait at one time (`ControlDispatcher.mostWaiting`): all others have a
    /// deadline, so there is always one that ends.
    public var most = 1024

    /// Fewer, so that the network cannot take all the memory and descriptors there are.
    public var mostFromNetwork = 256

    /// Of them, those of one address that have not shown a whole header yet: one client alone keeps nobody out.
    public var mostHeadsOfOne = 32

    /// Of long answers whose clients have not taken them yet: as much as a dozen pictures of 4K, and whoever reads needs it for
    /// milliseconds.
    public var mostHeldBytes = 64 << 20
    /// How long a client may take for a long answer while others wait for that room.
    public var reading = ClockTime.seconds(5)

    public init() {}

    var ofNetwork: ConnectionLimits {
        var limits = self
        limits.most = mostFromNetwork
        return limits
    }
}
