/// The pipelines, their elements and the plugin instances of a configuration, for checking references to them.
public struct KnownNames: Sendable {
    /// In the order of the file.
    public var pipelines: [(name: String, elements: [String])]
    public var instances: [String]
    /// The pads of elements that were built: by pipeline, then by element. Of what is not in it pads are not checked.
    public var pads: [String: [String: [String]]] = [:]

    /// ELEMENT.PROPERTY, by pipeline. Of a pipeline that is not in it they are not checked.
    public var settable: [String: [String]] = [:]

    public init(pipelines: [(name: String, elements: [String])], instances: [String]) {
        self.pipelines = pipelines
        self.instances = instances
    }

    /// What is wrong with a reference: the message and the nearest valid text.
    struct Unknown {
        var message: String
        var suggestion: String?
        var help: String?
    }

    func check(pipeline: String) -> Unknown? {
        let names = pipelines.map(\.name)
        guard !names.contains(pipeline) else { return nil }
        return Unknown(
            message: "no pipeline \(quoted(pipeline))", suggestion: Suggestion.nearest(to: pipeline, among: names),
            help: Self.list("pipelines", names))
    }

    func check(element: String, in pipeline: String) -> Unknown? {
        if let unknown = check(pipeline: pipeline) { return unknown }
        let elements = pipelines.first { $0.name == pipeline }?.elements ?? []
        guard !elements.contains(element) else { return nil }
        return Unknown(
            message: "no element \(quoted(element)) in pipeline \(quoted(pipeline))",
            suggestion: Suggestion.nearest(to: element, among: elements), help: Self.list("elements", elements))
    }

    func check(pad: PadPath) -> Unknown? {
        if let unknown = check(element: pad.element, in: pad.pipeline) { return unknown }
        guard let known = pads[pad.pipeline]?[pad.element], !known.contains(pad.pad) else { return nil }
        return Unknown(
            message: "no pad \(quoted(pad.pad)) at element \(quoted(pad.element))",
            suggestion: Suggestion.nearest(to: pad.pad, among: known), help: Self.list("pads", known))
    }

    func check(property: String, of pipeline: String) -> Unknown? {
        guard let known = settable[pipeline], !known.contains(property) else { return nil }
        return Unknown(
            message:
                "\(quoted(property)) of pipeline \(quoted(pipeline)) may not be set: its `settable:` does not list it",
            suggestion: Suggestion.nearest(to: property, among: known), help: Self.list("settable", known))
    }

    func check(instance: String) -> Unknown? {
        guard !instances.contains(instance) else { return nil }
        return Unknown(
            message: "no plugin \(quoted(instance))", suggestion: Suggestion.nearest(to: instance, among: instances),
            help: Self.list("plugins", instances))
    }

    static func list(_ what: String, _ names: [String]) -> String {
        names.isEmpty ? "there are no \(what)" : "\(what): \(names.prefix(20).joined(separator: ", "))"
    }
}
