internal import GStreamerKit

/// Properties of the elements that run.
extension PipelineController {
    /// The value now, as a launch text would say it; nil where the property has none, as a text that was never set.
    func value(of path: PropertyPath) async throws(ControlError) -> String? {
        let element = try find(path.element)
        switch await LiveAnswer.run(clock: clock, on: workers, { element.text(of: path.property) }) {
        case .answered(let text?): return text
        case .answered(nil) where element.canRead(path.property): return nil
        case .answered(nil):
            throw ControlError(.notFound, "element \"\(path.element)\" has no property \"\(path.property)\" to read")
        case .late: throw late(path)
        }
    }

    /// Sets what `settable:` lists, in the present build and in all that follow until the config is read again.
    /// - Returns: the value now.
    func set(_ path: PropertyPath, to text: String) async throws(ControlError) -> String {
        guard description.settable.contains(path) else {
            throw ControlError(
                .denied,
                "\"\(path.description)\" of pipeline \"\(name)\" may not be set: its `settable:` does not list it")
        }
        let element = try find(path.element)
        let answer = await LiveAnswer.run(
            clock: clock, on: workers,
            { element.trySet(path.property, to: text) ? element.text(of: path.property) ?? text : nil })
        switch answer {
        case .answered(let value?):
            remember(path, text)
            return value
        case .answered(nil):
            throw ControlError(.invalid, "\"\(path.description)\" cannot be set to \"\(text)\"")
        case .late: throw late(path)
        }
    }

    /// It was saved: it holds until the config says otherwise, as what the config itself says does.
    func keep(_ setting: PropertySetting) {
        overrides.removeAll { $0.path == setting.path }
        description.keep(setting)
    }

    private func remember(_ path: PropertyPath, _ text: String) {
        overrides.removeAll { $0.path == path }
        overrides.append(PropertySetting(path, to: text, span: description.location))
    }

    private func find(_ element: String) throws(ControlError) -> Element {
        guard let build else {
            throw ControlError(.state, "pipeline \(name) is \(condition.rawValue): it has no elements now")
        }
        guard let found = build.pipeline.element(named: element) else {
            throw ControlError(
                .notFound,
                "pipeline \(name) has no element \"\(element)\" (\(KnownNames.list("elements", description.elementNames)))"
            )
        }
        return found
    }

    private func late(_ path: PropertyPath) -> ControlError {
        ControlError(
            .busy,
            "pipeline \(name) is \(condition.rawValue), and \"\(path.element)\" did not answer within "
                + "\(LiveAnswer.deadline): its device may hang")
    }
}
