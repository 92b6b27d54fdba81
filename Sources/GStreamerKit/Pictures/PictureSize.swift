/// How large a picture is to be, in pixels; a side that is nil follows from the other, and both from the picture itself.
public struct PictureSize: Sendable, Equatable {
    public var width: Int?
    public var height: Int?

    /// GStreamer's own limit for most of its elements is 32767; nobody looks at more than this.
    public static let sides = 1...8192

    public init(width: Int? = nil, height: Int? = nil) { (self.width, self.height) = (width, height) }

    var caps: String { (width.map { ",width=\($0)" } ?? "") + (height.map { ",height=\($0)" } ?? "") }
}
