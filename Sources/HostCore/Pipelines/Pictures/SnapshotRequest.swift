public import GStreamerKit

/// What a user wants a picture of, and how.
public struct SnapshotRequest: Sendable, Equatable {
    /// Where it passes; nil: what the pipeline shows.
    public var pad: ElementPad?
    public var format = PictureFormat.jpeg
    public var size = PictureSize()

    /// Of the query of the API, as its route declares it.
    init(_ options: Value) throws(ControlError) {
        if let text = options["pad"]?.string {
            do throws(PathError) {
                pad = try ElementPad(text)
            } catch {
                throw ControlError(.invalid, "\"pad\": \(error.message)", field: "pad")
            }
        }
        format = options["format"]?.string.flatMap { PictureFormat(rawValue: $0) } ?? .jpeg
        size = PictureSize(
            width: options["width"]?.int.map { Int($0) }, height: options["height"]?.int.map { Int($0) })
        if let width = size.width, let height = size.height, width * height > PictureSize.mostPixels {
            throw ControlError(
                .invalid,
                "\(width)x\(height) is more than 4096x2160: give one side alone, or none for the picture as it is",
                field: "height")
        }
    }
}
