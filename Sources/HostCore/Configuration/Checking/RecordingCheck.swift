/// Looks for recordings that a pause of the host would write over: a sink that begins its file anew whenever it is built, in a
/// pipeline that ends at a pause because nobody said otherwise.
struct RecordingCheck {
    let launch: LaunchDescription
    /// Values that win over those of the launch text.
    let properties: [PropertySetting]
    /// The reasons of which the config does not say what happens: it ends then.
    let unsaid: [String]

    /// One for each such sink.
    func warnings() -> [Diagnostic] {
        // What comes out of a file comes out of it once more.
        guard !unsaid.isEmpty, !launch.elements.contains(where: { $0.factory == "filesrc" }) else { return [] }
        let named = launch.named().elements
        return launch.elements.compactMap { element in
            // Filters stand among the named ones, too; the place in the text tells them apart.
            let name = named.first { $0.span == element.factorySpan }?.name
            guard let what = whatIsLost(element, name) else { return nil }
            return Diagnostic(
                .warning, at: element.factorySpan, "\(what) whenever the host resumes, over what was recorded before",
                help: help(element.factory))
        }
    }

    private func help(_ factory: String) -> String {
        let form: (String) -> String = { [unsaid] mode in
            unsaid.count == 2
                ? "\"background: \(mode)\"" : "\"\(unsaid.map { "\($0): \(mode)" }.joined())\" in \"background\""
        }
        let appending = "; a format without an index, as .ts has, can go on with append=true"
        return "\(form("pause")) goes on in one recording; if it is meant so, write \(form("stop"))"
            + (factory == "filesink" ? appending : "")
    }

    private func whatIsLost(_ element: LaunchElement, _ name: String?) -> String? {
        func value(_ key: String) -> String? { setting(of: key, element, name) }
        guard let location = value("location"), !Self.isDevice(location) else { return nil }
        let isCounted = location.contains("%")
        // As many as are wanted: the oldest are written over by themselves.
        let isRing = value("max-files").map { $0 != "0" } ?? false
        switch element.factory {
        case "filesink" where !Self.isTrue(value("append")): return "\"filesink\" begins \(quoted(location)) anew"
        case "splitmuxsink" where !isRing && !isCounted: return "\"splitmuxsink\" begins \(quoted(location)) anew"
        // Without a number one file is there for the newest alone.
        case "splitmuxsink" where !isRing, "multifilesink" where !isRing && isCounted:
            return "\(quoted(element.factory)) counts the files of \(quoted(location)) from its first again"
        default: return nil
        }
    }

    /// As GStreamer reads it.
    private static func isTrue(_ text: String?) -> Bool {
        text.map { ["true", "t", "yes", "1"].contains($0.lowercased()) } ?? false
    }

    private static func isDevice(_ path: String) -> Bool {
        path.hasPrefix("/proc/") || path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/")
    }

    private func setting(of key: String, _ element: LaunchElement, _ name: String?) -> String? {
        properties.last { $0.path.element == name && $0.path.property == key }?.value
            ?? element.properties.last { $0.key == key }?.value
    }
}
