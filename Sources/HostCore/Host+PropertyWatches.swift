internal import GStreamerKit

/// Properties that clients want to be told of.
extension Host {
    public func watch(_ names: String, from origin: RequestOrigin) throws(ControlError) -> PropertyHold {
        var keys: [PropertyWatches.Key] = []
        for word in names.split(separator: ",") {
            let key = try key(String(word))
            if !keys.contains(key) { keys.append(key) }
        }
        guard keys.count <= PropertyWatches.mostOfOne else {
            throw ControlError(
                .invalid,
                "\(keys.count) properties are more than the \(PropertyWatches.mostOfOne) that one client may watch",
                field: "watch")
        }
        return try propertyWatches.hold(keys, from: origin) { [weak self] key in
            self?.pipelines[key.pipeline]?.build?.pipeline.element(named: key.path.element)
        }
    }

    func makePropertyWatches() -> PropertyWatches {
        PropertyWatches(
            clock: clock,
            read: { [weak self] key in
                guard let pipeline = self?.pipelines[key.pipeline] else { return .unknown }
                do throws(ControlError) {
                    return .value(try await pipeline.value(of: key.path))
                } catch {
                    return .unknown
                }
            },
            tell: { [weak self] key, value in
                self?.events.post(
                    "pipeline.property", source: key.pipeline,
                    [
                        "property": .string(key.path.description), "value": value.map { .string($0) } ?? .null,
                    ])
            })
    }

    /// PIPELINE/ELEMENT.PROPERTY
    private func key(_ text: String) throws(ControlError) -> PropertyWatches.Key {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let path = try? PropertyPath(parts[1]) else {
            throw ControlError(
                .invalid, "\(quoted(text)) is not of the form pipeline/element.property, as in porch/camera.pattern",
                field: "watch")
        }
        let pipeline: PipelineController
        do throws(ControlError) {
            pipeline = try find(parts[0])
        } catch {
            throw ControlError(error.code, error.message, field: "watch")
        }
        let elements = pipeline.description.elementNames
        guard elements.contains(path.element) else {
            let hint = Suggestion.nearest(to: path.element, among: elements).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ControlError(
                .notFound,
                "pipeline \(parts[0]) has no element \(quoted(path.element))\(hint) "
                    + "(\(KnownNames.list("elements", elements)))", field: "watch")
        }
        try requireProperty(path, of: pipeline)
        return PropertyWatches.Key(pipeline: parts[0], path: path)
    }

    /// Whoever waits for what no element has would wait for ever.
    private func requireProperty(_ path: PropertyPath, of pipeline: PipelineController) throws(ControlError) {
        let named = pipeline.description.launch.named().elements.first { $0.name == path.element }
        guard let factory = named?.factory else { return }
        // What is not built has its properties by its kind, where GStreamer knows that.
        let isThere =
            pipeline.build?.pipeline.element(named: path.element)?.hasProperty(path.property)
            ?? (ElementFactory.property(path.property, of: factory) != nil || !ElementFactory.exists(factory))
        guard !isThere else { return }
        let known = ElementFactory.propertyNames(of: factory) ?? []
        let hint = Suggestion.nearest(to: path.property, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        throw ControlError(
            .notFound,
            "element \(quoted(path.element)) of pipeline \(pipeline.name) has no property \(quoted(path.property))\(hint) "
                + "(`gst-inspect-1.0 \(factory)` lists them)", field: "watch")
    }
}
