/// Looks for recordings that a pause of the host would write over: a sink that begins its file anew whenever it is built, in a
/// pipeline that ends at a pause because nobody said otherwise.
struct RecordingCheck {
    let launch: LaunchDescription
    /// Values that win over those of the launch text.
    let properties: [PropertySetting]

    /// One for each such sink.
    func warnings() -> [Diagnostic] {
        let named = launch.named().elements
        return launch.elements.compactMap { element in
            // Filters stand among the named ones, too; the place in the text tells them apart.
            let name = named.first { $0.span == element.factorySpan }?.name
            guard let what = whatIsLost(element, name) else { return nil }
            return Diagnostic(
                .warning, at: element.factorySpan, "\(what) whenever the host resumes, over what was recorded before",
                help: Self.help + (element.factory == "filesink" ? Self.appending : ""))
        }
    }

    private static let help =
        "\"background: pause\" goes on in one recording; if it is meant so, write \"background: stop\""
    private static let appending = "; a format without an index, as .ts has, can go on with append=true"

    private func whatIsLost(_ element: LaunchElement, _ name: String?) -> String? {
        func value(_ key: String) -> String? { setting(of: key, element, name) }
        guard let location = value("location"), !Self.isDevice(location) else { return nil }
        switch element.factory {
        case "filesink":
            let appends = value("append").map { ["true", "1", "yes"].contains($0.lowercased()) } ?? false
            return appends ? nil : "\"filesink\" begins \(quoted(location)) anew"
        case "splitmuxsink", "multifilesink":
            return "\(quoted(element.factory)) counts the files of \(quoted(location)) from its first again"
        default: return nil
        }
    }

    private static func isDevice(_ path: String) -> Bool { path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/") }

    private func setting(of key: String, _ element: LaunchElement, _ name: String?) -> String? {
        properties.last { $0.path.element == name && $0.path.property == key }?.value
            ?? element.properties.last { $0.key == key }?.value
    }
}
