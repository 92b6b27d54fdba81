internal import GStreamerKit

/// Properties of the elements that run.
extension PipelineController {
    /// Elements of a running pipeline may be stuck in their device: how long one is waited for.
    static let answerDeadline = ClockTime.seconds(5)

    /// The value now, as a launch text would say it; nil where the property has none, as a text that was never set.
    func value(of path: PropertyPath) async throws(ControlError) -> String? {
        let element = try find(path.element)
        let property = path.property
        let answer = await workers.result(within: Self.answerDeadline, clock: clock) { element.text(of: property) }
        guard let answer else { throw late(path) }
        guard answer != nil || element.canRead(property) else {
            throw ControlError(
                .notFound, "element \"\(path.element)\" has no property \"\(property)\" to read",
                field: "property")
        }
        return answer
    }

    /// Sets what `settable:` lists, in the present build and in all that follow until the config is read again.
    /// - Returns: the value then, and which of the property's sets it was.
    func set(
        _ path: PropertyPath, to text: String
    ) async throws(ControlError) -> (value: String, turn: PropertyTurn) {
        guard description.settable.contains(path) else {
            throw ControlError(
                .denied,
                "\"\(path.description)\" of pipeline \"\(name)\" may not be set: its `settable:` does not list it",
                field: "property")
        }
        let element = try find(path.element)
        let turns = turns(of: path)
        let answer = await workers.result(within: Self.answerDeadline, clock: clock) {
            turns.take { element.trySet(path.property, to: text) ? element.text(of: path.property) ?? text : nil }
        }
        guard let (answer, turn) = answer else { throw late(path) }
        guard let value = answer else {
            throw ControlError(.invalid, "\"\(path.description)\" cannot be set to \"\(text)\"", field: "value")
        }
        if sets.heard(turn, of: path) { remember(path, text) }
        return (value, turn)
    }

    /// It was saved: it holds until the config says otherwise, as what the config itself says does.
    /// - Parameter turn: of its set.
    func keep(_ setting: PropertySetting, _ turn: PropertyTurn) {
        // Something else may have been set while it was saved: that holds for now.
        if sets.isNewest(turn, of: setting.path) { overrides.removeAll { $0.path == setting.path } }
        description.keep(setting)
    }

    func turns(of path: PropertyPath) -> PropertyTurns {
        if let known = turns[path], known.build == buildNumber { return known }
        let turns = PropertyTurns(build: buildNumber)
        self.turns[path] = turns
        return turns
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
                "pipeline \(name) has no element \"\(element)\" (\(KnownNames.list("elements", description.elementNames)))",
                field: "property")
        }
        return found
    }

    private func late(_ path: PropertyPath) -> ControlError {
        ControlError(
            .busy,
            "pipeline \(name) is \(condition.rawValue), and \"\(path.element)\" did not answer within "
                + "\(Self.answerDeadline): its device may hang")
    }
}
