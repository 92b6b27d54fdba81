/// What a picture is written as.
public enum PictureFormat: String, Sendable, CaseIterable {
    case jpeg, png

    public var contentType: String { "image/\(rawValue)" }

    /// What the encoder must be given. A JPEG file (JFIF) has the full range of BT.601, whatever the video had.
    ///
    /// GStreamer 1.22 does not stretch the range where the matrix stays the same (seen: black becomes grey), so what is not
    /// known to have another one goes by way of RGB, which takes a third longer.
    func caps(from source: Caps) -> String {
        switch self {
        case .jpeg where source.hasMatrixOfBT709: ",format=I420,colorimetry=1:4:0:0"
        case .jpeg: ",format=xRGB"
        case .png: ",format=RGB"
        }
    }

    var encoder: String {
        switch self {
        case .jpeg: "jpegenc"
        // A picture of a moment is looked at once: its last few percent are not worth three times the time.
        case .png: "pngenc compression-level=1"
        }
    }
}
