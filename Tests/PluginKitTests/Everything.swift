import PluginKit

/// A record with a field of each type.
struct Everything: PluginRecord, Equatable {
    enum Mode: String, CaseIterable, FieldValue {
        case fast
        case verySlow = "very-slow"
    }

    struct Size: PluginRecord, Equatable {
        let width: Int
        let height: UInt16
        static let fields = Fields(
            Size.init, Field("width", \.width, default: 640, "Pixels"), Field("height", \.height, default: 480, ""))
    }

    struct Point: PluginRecord, Equatable {
        let x: Double
        let label: String?
        static let fields = Fields(Point.init, Field("x", \.x, ""), Field("label", \.label, ""))
    }

    struct Ratio: TextFieldValue, Equatable {
        let over, under: Int
        var text: String { "\(over):\(under)" }

        init(over: Int, under: Int) { (self.over, self.under) = (over, under) }

        init(text: String) throws(FieldMismatch) {
            let parts = text.split(separator: ":").map { Int($0) }
            guard parts.count == 2, let over = parts[0], let under = parts[1] else {
                throw FieldMismatch("must be WIDTH:HEIGHT, as in 16:9")
            }
            self.init(over: over, under: under)
        }
    }

    var on: Bool
    var count: Int
    var port: UInt16
    var gain: Double
    var title: String
    var mode: Mode
    var window: Duration
    var memory: ByteSize
    var video: PadName
    var camera: ElementName
    var pipeline: PipelineName?
    var other: InstanceName?
    var file: PathName
    var token: Secret
    var ratio: Ratio
    var steps: [Duration]
    var sizes: [ByteSize]?
    var size: Size
    var points: [Point]

    static let fields = Fields(
        Everything.init,
        Field("on", \.on, default: true, "A switch"),
        Field("count", \.count, default: 3, limits: .range(1...5), "A whole number"),
        Field("port", \.port, default: 80, "A narrow one"),
        Field("gain", \.gain, default: 0.5, limits: .atMost(2), "A number"),
        Field("title", \.title, default: "a \"b\"", "A text"),
        Field("mode", \.mode, default: .verySlow, "A choice"),
        Field("window", \.window, default: .seconds(60), limits: .atLeast(.milliseconds(1)), "A duration"),
        Field("memory", \.memory, default: .mebibytes(256), limits: .atLeast(.kibibytes(4)), reserves: true, "A size"),
        Field("video", \.video, "A pad"),
        Field("camera", \.camera, default: "cam/camera", "An element"),
        Field("pipeline", \.pipeline, "A pipeline"),
        Field("other", \.other, "An instance"),
        Field("file", \.file, default: "/tmp/x", "A path"),
        Field("token", \.token, default: "hush", "A secret"),
        Field("ratio", \.ratio, default: Ratio(over: 16, under: 9), "A form of its own"),
        Field(
            "steps", \.steps, default: [.seconds(1), .milliseconds(1500)], limits: .atLeast(.seconds(1)), "Durations"),
        Field("sizes", \.sizes, "Sizes"),
        Field("size", \.size, "A record"),
        Field("points", \.points, default: [Point(x: 1, label: nil)], "Records"))

    /// What the defaults say.
    static let plain = Everything(
        on: true, count: 3, port: 80, gain: 0.5, title: "a \"b\"", mode: .verySlow, window: .seconds(60),
        memory: .mebibytes(256), video: "cam/encoded.src", camera: "cam/camera", pipeline: nil, other: nil,
        file: "/tmp/x", token: "hush", ratio: Ratio(over: 16, under: 9), steps: [.seconds(1), .milliseconds(1500)],
        sizes: nil, size: Size(width: 640, height: 480), points: [Point(x: 1, label: nil)])
}
