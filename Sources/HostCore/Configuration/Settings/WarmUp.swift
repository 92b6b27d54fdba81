/// Raw frames thrown away after each start, while a camera finds its exposure.
public struct WarmUp: Sendable, Equatable {
    public var frames: Int
    /// Where they are counted and dropped; nil lets the host choose.
    public var at: ElementPad?

    public static let defaultFrames = 3
    /// More than this is a mistake: ten minutes at 60 frames per second.
    static let mostFrames: Int64 = 36_000

    public init(frames: Int = WarmUp.defaultFrames, at pad: ElementPad? = nil) {
        self.frames = frames
        at = pad
    }
}
