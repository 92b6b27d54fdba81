internal import GStreamerKit

/// A pipeline as its keys are read, before what they say of each other is checked.
struct PipelineDraft {
    enum Restart {
        case unwritten
        case never
        case policy(RestartPolicy)
    }

    /// A property that is to be settable, and where that was written.
    struct Settable {
        var path: PropertyPath
        var span: SourceSpan
    }

    var catalog: (any ElementCatalog)?
    var launch: LaunchDescription?
    var autostart = true
    var background = BackgroundPolicy()
    /// The reasons to pause of which the user did not say what happens: by default it ends then.
    var unsaidPauses = ["paused", "suspended"]
    var warmUp: WarmUp?
    var warmUpPlace: SourceSpan?
    var onEOS = EndOfStreamPolicy.stop
    var restart = Restart.unwritten
    var stallTimeout: ClockTime? = PipelineDescription.defaultStallTimeout
    var startTimeout: ClockTime? = PipelineDescription.defaultStartTimeout
    var latency: ClockTime?
    var properties: [PropertySetting] = []
    /// Where the paths of `properties` were written, in their order.
    var propertyPlaces: [SourceSpan] = []
    var settable: [Settable] = []

    /// A player that ends with its file has nobody to come back for: it fails at once, so that the caller learns of it.
    var restartPolicy: RestartPolicy? {
        switch restart {
        case .unwritten: onEOS == .exit ? nil : RestartPolicy()
        case .never: nil
        case .policy(let policy): policy
        }
    }

    /// The pipeline, or nil where it has no launch text. What refers to its elements is checked here.
    func description(_ name: String, at place: SourceSpan, _ problems: inout Problems) -> PipelineDescription? {
        guard let launch else { return nil }
        let elements = launch.named().elements
        if let pad = warmUp?.at, let warmUpPlace {
            _ = element(pad.element, before: ".\(pad.pad)", at: warmUpPlace, elements, name, &problems)
        }
        for (setting, span) in zip(properties, propertyPlaces) {
            check(setting.path, at: span, elements, name, &problems)
        }
        for item in settable { check(item.path, at: item.span, elements, name, &problems) }
        problems.add(RecordingCheck(launch: launch, properties: properties, unsaid: unsaidPauses).warnings())
        var result = PipelineDescription(
            name: name, launch: launch, background: background, warmUp: warmUp, onEOS: onEOS, restart: restartPolicy,
            location: place)
        result.autostart = autostart
        result.stallTimeout = stallTimeout
        result.startTimeout = startTimeout
        result.latency = latency
        result.properties = properties
        result.settable = settable.map(\.path)
        return result
    }

    /// - Parameter rest: what follows the element's name in the path.
    private func element(
        _ name: String, before rest: String, at place: SourceSpan, _ elements: [NamedElement], _ pipeline: String,
        _ problems: inout Problems
    ) -> NamedElement? {
        if let element = elements.first(where: { $0.name == name }) { return element }
        let names = elements.map(\.name)
        problems.error(
            at: place.part(0..<name.utf8.count, of: name + rest),
            "no element named \(quoted(name)) in pipeline \(quoted(pipeline))",
            help: KnownNames.list("elements", names),
            suggestion: Suggestion.nearest(to: name, among: names))
        return nil
    }

    private func check(
        _ path: PropertyPath, at place: SourceSpan, _ elements: [NamedElement], _ pipeline: String,
        _ problems: inout Problems
    ) {
        guard
            let element = element(path.element, before: ".\(path.property)", at: place, elements, pipeline, &problems)
        else { return }
        let text = path.description
        let place = place.part(path.element.utf8.count + 1..<text.utf8.count, of: text)
        guard path.property != "name" else {
            problems.error(
                at: place, "the name of an element cannot be set",
                help: element.isExplicit
                    ? "it is in the launch text" : "give it in the launch text: name=\(element.name)")
            return
        }
        guard let catalog, catalog.exists(element.factory), let known = catalog.propertyNames(of: element.factory),
            !known.contains(path.property)
        else { return }
        let nearest = Suggestion.nearest(to: path.property, among: known)
        problems.error(
            at: place, "no property \(quoted(path.property)) in element \(quoted(element.factory))",
            help: nearest == nil ? "gst-inspect-1.0 \(element.factory) lists its properties" : nil,
            suggestion: nearest)
    }
}
