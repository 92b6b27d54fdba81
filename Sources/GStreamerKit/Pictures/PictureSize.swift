/// How large a picture is to be, in pixels; a side that is nil follows from the other, and both from the picture itself.
public struct PictureSize: Sendable, Equatable {
    public var width: Int?
    public var height: Int?

    /// As wide as 4K in cinemas; whoever wants more gets it where the picture itself is larger.
    public static let sides = 1...4096
    /// Where both sides are given: each pixel takes up to four bytes of memory while it is made.
    public static let mostPixels = 4096 * 2160

    public init(width: Int? = nil, height: Int? = nil) { (self.width, self.height) = (width, height) }

    var caps: String { (width.map { ",width=\($0)" } ?? "") + (height.map { ",height=\($0)" } ?? "") }
}
