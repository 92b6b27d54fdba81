internal import GStreamerKit
internal import PluginABI

/// One file descriptor that an instance has the host look at. The descriptor is the plugin's.
@HostActor
final class PluginFile {
    /// Ready this often is ready always: nobody reads, or the plugin should read more at once.
    static let perSecond: Int64 = 1000
    static let burst: Int64 = 2000
    /// How long one that is always ready is left alone, again and again.
    static let rest = ClockTime.milliseconds(10)
    /// GLib's: as the host's own sources. Below them it would wait for as long as any of them is always ready.
    static let priority: Int32 = 0
    /// Of a descriptor that was not watched before.
    static var fullBucket: TokenBucket { TokenBucket(perSecond: perSecond, burst: burst) }

    enum Call {
        case ready(mh_fd_events)
        /// It is ready too often, and is left alone for a while.
        case busy
        /// Somebody has closed it.
        case closed
    }

    private var source: FileSource?
    private var interest: UInt32
    /// Goes on with the next watch of the same descriptor.
    private(set) var bucket: TokenBucket
    private var resting: HostTimer?
    private let clock: any HostClock

    init(
        _ file: Int32, _ interest: mh_fd_events, bucket: TokenBucket, clock: any HostClock,
        _ call: @escaping @HostActor @Sendable (Call) -> Void
    ) {
        self.clock = clock
        self.bucket = bucket
        self.interest = Self.conditions(interest)
        source = FileSource(file, self.interest, priority: Self.priority) { [weak self] in
            self?.isReady($0, call)
        }
    }

    func modify(_ interest: mh_fd_events) {
        self.interest = Self.conditions(interest)
        source?.modify(self.interest)
    }

    func end() {
        resting?.cancel()
        resting = nil
        source?.close()
        source = nil
    }

    private func isReady(_ conditions: UInt32, _ call: @HostActor (Call) -> Void) {
        guard source != nil else { return }
        guard conditions & Self.closed == 0 else { return call(.closed) }
        guard bucket.take(at: clock.monotonic()) else {
            source?.rest()
            resting = clock.schedule(after: Self.rest) { [weak self] in
                guard let self else { return }
                self.source?.resume(self.interest)
            }
            return call(.busy)
        }
        call(.ready(Self.events(conditions)))
    }

    // GLib's conditions are the kernel's, the ABI's are its own.
    private static let closed: UInt32 = 32
    private static let pairs: [(condition: UInt32, event: Int)] = [
        (1, MH_FD_READABLE), (4, MH_FD_WRITABLE), (8, MH_FD_ERROR), (16, MH_FD_HUNG_UP),
    ]

    private static func conditions(_ events: mh_fd_events) -> UInt32 {
        pairs.reduce(0) { events & UInt32($1.event) == 0 ? $0 : $0 | $1.condition }
    }

    private static func events(_ conditions: UInt32) -> mh_fd_events {
        pairs.reduce(0) { conditions & $1.condition == 0 ? $0 : $0 | UInt32($1.event) }
    }
}
