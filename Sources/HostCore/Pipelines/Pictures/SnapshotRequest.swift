public import GStreamerKit

/// What a user wants a picture of, and how.
public struct SnapshotRequest: Sendable, Equatable {
    /// Where it passes; nil: what the pipeline shows.
    public var pad: ElementPad?
    public var format = PictureFormat.jpeg
    public var size = PictureSize()

    /// Of the query of the API.
    init(_ query: [String: String]) throws(ControlError) {
        for key in query.keys.sorted() where !["pad", "format", "width", "height"].contains(key) {
            throw ControlError(.invalid, "there is no \"\(key)\": a snapshot takes pad, format, width and height")
        }
        if let text = query["pad"] {
            do throws(PathError) {
                pad = try ElementPad(text)
            } catch {
                throw ControlError(.invalid, "\"pad\": \(error.message)")
            }
        }
        if let text = query["format"] {
            guard let format = PictureFormat(rawValue: text) else {
                throw ControlError(.invalid, "\"format\" is \"jpeg\" or \"png\", not \"\(text)\"")
            }
            self.format = format
        }
        size = PictureSize(width: try Self.side("width", query), height: try Self.side("height", query))
    }

    private static func side(_ name: String, _ query: [String: String]) throws(ControlError) -> Int? {
        guard let text = query[name] else { return nil }
        guard let side = Int(text), PictureSize.sides.contains(side) else {
            throw ControlError(
                .invalid, "\"\(name)\" is a number of pixels up to \(PictureSize.sides.upperBound), not \"\(text)\"")
        }
        return side
    }
}
