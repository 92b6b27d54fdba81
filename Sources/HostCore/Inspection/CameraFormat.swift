public import GStreamerKit

/// The format that a starter config asks of a camera: the best up to 1080p30, in the coding that costs least.
public struct CameraFormat: Sendable, Equatable {
    public enum Coding: String, Sendable, CaseIterable {
        /// Encoded by the camera: nothing is left to do.
        case h264 = "video/x-h264"
        case raw = "video/x-raw"
        case jpeg = "image/jpeg"
    }

    public var coding: Coding
    public var width: Int
    public var height: Int
    /// As caps write it, "30/1".
    public var rate: String

    public init(_ coding: Coding, _ width: Int, _ height: Int, _ rate: String) {
        self.coding = coding
        self.width = width
        self.height = height
        self.rate = rate
    }

    public var caps: String { "\(coding.rawValue),width=\(width),height=\(height),framerate=\(rate)" }

    private static let sizes = [
        (1920, 1080), (1600, 900), (1280, 960), (1280, 720), (1024, 768), (1024, 576), (800, 600), (640, 480),
        (640, 360),
        (352, 288), (320, 240), (320, 180), (176, 144), (160, 120),
    ]
    /// First those that look fluent.
    private static let fluent = ["30/1", "30000/1001", "25/1", "24/1"]
    private static let slow = ["20/1", "15/1", "10/1", "15/2", "5/1"]

    /// The first of the common formats that these caps hold: fluent before slow, then large before small, then by coding.
    /// Asked by intersection, so ranges and lists of a driver are no different from single values.
    /// - Returns: nil where none fits: then GStreamer has to choose.
    public static func best(in caps: Caps) -> CameraFormat? {
        let offered = Coding.allCases.filter { Caps($0.rawValue).map(caps.canIntersect) ?? false }
        for rates in [fluent, slow] {
            for (width, height) in sizes {
                for coding in offered {
                    for rate in rates {
                        let format = CameraFormat(coding, width, height, rate)
                        if let wanted = Caps(format.caps), caps.canIntersect(wanted) { return format }
                    }
                }
            }
        }
        return nil
    }
}
