import HostCore

/// A catalog of a few elements, so that tests do not depend on what is installed.
struct TestCatalog: ElementCatalog {
    static let elements: [String: [String]] = [
        "videotestsrc": ["pattern", "is-live", "num-buffers"], "fakesink": ["sync", "silent"],
        "fakesrc": ["num-buffers", "sizetype"], "x264enc": ["tune", "key-int-max", "bitrate"],
        "v4l2src": ["device", "num-buffers"], "videoconvert": [], "tee": ["allow-not-linked"],
        "queue": ["max-size-buffers"],
        "identity": ["silent", "signal-handoffs"], "capsfilter": ["caps"], "filesrc": ["location"], "bin": [],
    ]

    func exists(_ factory: String) -> Bool { Self.elements[factory] != nil }
    var factoryNames: [String] { Array(Self.elements.keys) }
    func propertyNames(of factory: String) -> [String]? { Self.elements[factory].map { $0 + ["name"] } }
}

/// All that is wrong with a file `porch.yaml`, as a user sees it.
func problems(in text: String, environment: [String: String] = [:]) -> String {
    let file = SourceFile(path: "porch.yaml", text: text)
    let (_, diagnostics) = ConfigurationLoader.load(file, environment: environment, catalog: TestCatalog())
    return DiagnosticRenderer().render(diagnostics)
}
