import GStreamerKit
import HostCore

/// A catalog of a few elements, so that tests do not depend on what is installed.
struct TestCatalog: ElementCatalog {
    struct Element {
        var properties: [ElementProperty] = []
        var pads: [PadTemplate]?
        var isBin = false
        var presets: [String]?
    }

    private static let whole = ElementProperty.Kind.signed(-1...2_147_483_647)
    private static func property(_ name: String, _ kind: ElementProperty.Kind) -> ElementProperty {
        ElementProperty(name: name, kind: kind)
    }

    static let elements: [String: Element] = [
        "videotestsrc": Element(
            properties: [
                property("pattern", .choice(["smpte", "snow", "black", "ball"])), property("is-live", .boolean),
                property("num-buffers", whole),
            ],
            pads: [
                pad("src", .source, "video/x-raw,width=(int)[1,max],height=(int)[1,max],framerate=(fraction)[0/1,max]")
            ]),
        "audiotestsrc": Element(pads: [pad("src", .source, "audio/x-raw,rate=(int)[1,max]")]),
        "audioconvert": Element(pads: [pad("sink", .sink, "audio/x-raw"), pad("src", .source, "audio/x-raw")]),
        "fakesink": Element(
            properties: [
                property("sync", .boolean), property("silent", .boolean), property("last-sample", .other("GstSample")),
            ], pads: [pad("sink", .sink, "ANY")]),
        "fakesrc": Element(
            properties: [property("num-buffers", whole), property("sizetype", .choice(["empty", "fixed", "random"]))],
            pads: [pad("src", .source, "ANY")]),
        "x264enc": Element(
            properties: [
                property("tune", .flags(["stillimage", "fastdecode", "zerolatency"])), property("key-int-max", whole),
                property("bitrate", .unsigned(1...2_048_000)),
            ], presets: ["Profile YouTube"]),
        "v4l2src": Element(properties: [property("device", .text), property("num-buffers", whole)]),
        "videoconvert": Element(pads: [pad("sink", .sink, "video/x-raw"), pad("src", .source, "video/x-raw")]),
        "volume": Element(properties: [property("volume", .real(0...10))]),
        "aspectratiocrop": Element(properties: [property("aspect-ratio", .fraction)]),
        "playbin": Element(properties: [property("video-sink", .element), property("uri", .text)], isBin: true),
        "tee": Element(
            properties: [property("allow-not-linked", .boolean)],
            pads: [pad("sink", .sink, "ANY"), pad("src_%u", .source, "ANY", .request)]),
        "queue": Element(properties: [
            property("max-size-buffers", .unsigned(0...4_294_967_295)),
            ElementProperty(name: "current-level-buffers", kind: .unsigned(0...4_294_967_295), isWritable: false),
        ]),
        "identity": Element(
            properties: [property("silent", .boolean), property("signal-handoffs", .boolean)],
            pads: [pad("sink", .sink, "ANY"), pad("src", .source, "ANY")]),
        "capsfilter": Element(
            properties: [property("caps", .caps)], pads: [pad("sink", .sink, "ANY"), pad("src", .source, "ANY")]),
        "filesrc": Element(properties: [property("location", .text)]),
        "bin": Element(
            properties: [
                property("message-forward", .boolean),
                ElementProperty(name: "fixed", kind: .boolean, isConstructOnly: true),
            ], isBin: true),
    ]

    private static let started: Void = { try? GStreamer.start() }()

    private static func pad(
        _ name: String, _ direction: PadTemplate.Direction, _ caps: String, _ presence: PadTemplate.Presence = .always
    ) -> PadTemplate {
        _ = started
        guard let caps = Caps(caps) else { preconditionFailure("no caps: \(caps)") }
        return PadTemplate(name: name, direction: direction, presence: presence, caps: caps)
    }

    func exists(_ factory: String) -> Bool { Self.elements[factory] != nil }
    var factoryNames: [String] { Array(Self.elements.keys) }
    func propertyNames(of factory: String) -> [String]? {
        Self.elements[factory].map { $0.properties.filter(\.isWritable).map(\.name) + ["name"] }
    }
    func property(_ name: String, of factory: String) -> ElementProperty? {
        Self.elements[factory]?.properties.first { $0.name == name }
    }
    func hasChildren(_ factory: String) -> Bool { isBin(factory) }
    func isBin(_ factory: String) -> Bool { Self.elements[factory]?.isBin ?? false }
    func presets(of factory: String) -> [String]? { Self.elements[factory]?.presets }
    func padTemplates(of factory: String) -> [PadTemplate]? { Self.elements[factory]?.pads }
    func factory(forURI uri: String, isSink: Bool) -> String? { uri.hasPrefix("file://") ? "filesrc" : nil }
    func plugin(of factory: String) -> String? { exists(factory) ? "test" : nil }
    func caps(_ text: String) -> Caps? {
        _ = Self.started
        return Caps(text)
    }

    func verdict(on text: String, for property: String, of factory: String) -> ValueVerdict {
        guard let kind = self.property(property, of: factory)?.kind else { return .unreadable }
        let isTaken: Bool
        switch kind {
        case .boolean: isTaken = ["true", "false", "yes", "no", "1", "0"].contains(text)
        case .signed, .unsigned: isTaken = false  // whole numbers are settled before
        case .real(let range):
            guard let number = Double(text) else { return .unreadable }
            return range.contains(number) ? .taken : .outOfRange
        case .text: isTaken = true
        case .choice(let nicks): isTaken = nicks.contains(text)
        case .flags(let nicks): isTaken = text.split(separator: "+").allSatisfy { nicks.contains(String($0)) }
        case .fraction: isTaken = text.split(separator: "/").allSatisfy { Int($0) != nil }
        case .caps: isTaken = caps(text) != nil
        case .element: isTaken = exists(text)
        case .other: isTaken = false
        }
        return isTaken ? .taken : .unreadable
    }
}

/// All that is wrong with a file `porch.yaml`, as a user sees it.
func problems(in text: String, environment: [String: String] = [:]) -> String {
    let file = SourceFile(path: "porch.yaml", text: text)
    let (_, diagnostics) = ConfigurationLoader.load(file, environment: environment, catalog: TestCatalog())
    return DiagnosticRenderer().render(diagnostics)
}
