public import GStreamerKit

/// What a user wants a picture of, and how.
public struct SnapshotRequest: Sendable, Equatable {
    /// Where it passes; nil: what the pipeline shows.
    public var pad: ElementPad?
    public var format = PictureFormat.jpeg
    public var size = PictureSize()

    /// Of the query of the API.
    init(_ query: [String: String]) throws(ControlError) {
        let query = try QueryReader(query, keys: ["pad", "format", "width", "height"])
        if let text = query["pad"] {
            do throws(PathError) {
                pad = try ElementPad(text)
            } catch {
                throw ControlError(.invalid, "\"pad\": \(error.message)", field: "pad")
            }
        }
        if let text = query["format"] {
            guard let format = PictureFormat(rawValue: text) else {
                throw ControlError(.invalid, "\"format\" is \"jpeg\" or \"png\", not \"\(text)\"", field: "format")
            }
            self.format = format
        }
        size = PictureSize(
            width: try query.number("width", in: PictureSize.sides),
            height: try query.number("height", in: PictureSize.sides))
    }
}
