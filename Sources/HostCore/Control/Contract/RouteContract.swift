/// What a request of a route may carry, and what it answers. Requests are checked against it before the handler runs, and
/// `/openapi.json` is written from it.
///
/// - Thread: any. Immutable.
struct RouteContract: Sendable {
    enum Body: Sendable {
        /// Empty, or `{}`.
        case nothing
        /// A JSON object; empty is as good as `{}`.
        case members([RouteMember])
        /// A JSON object, which a plugin's schema is for.
        case parameters
    }

    var query: [RouteMember] = []
    /// Header fields that it reads; always texts, never required.
    var headers: [RouteMember] = []
    var body = Body.nothing
    var answer = RouteAnswer.object
    /// It may take longer than the client waits: the answer is a job then, with status 202.
    var goesOn = false
}

extension RouteContract {
    /// The request with its options and its body as the route wants them: typed, units resolved, defaults filled in.
    /// - Throws: `invalid`, with the member that is wrong.
    func check(_ request: ControlRequest, of name: String) throws(ControlError) -> ControlRequest {
        var request = request
        request.options = try options(request.query, of: name)
        request.body = try checked(request.body, of: name)
        return request
    }

    private func options(_ given: [String: String], of route: String) throws(ControlError) -> Value {
        let known = query.map(\.name)
        if let key = given.keys.sorted().first(where: { !known.contains($0) }) {
            throw Self.unknown(key, known, in: "the query of \(route)")
        }
        var members: [Value.Member] = []
        for member in query {
            if let text = given[member.name] {
                members.append(.init(member.name, try member.resolve(text: text)))
            } else if let value = member.rule.defaultValue {
                members.append(.init(member.name, value))
            }
        }
        return .map(members)
    }

    private func checked(_ given: Value?, of route: String) throws(ControlError) -> Value? {
        let expected: [RouteMember]
        switch body {
        case .nothing: expected = []
        case .members(let members): expected = members
        case .parameters:
            let parameters = given ?? .map([])
            guard case .map = parameters else {
                throw ControlError(.invalid, "the body must be a JSON object: the parameters of the command by name")
            }
            return parameters
        }
        guard let entries = (given ?? .map([])).members else {
            throw ControlError(.invalid, "the body of \(route) must be a JSON object" + Self.list(expected.map(\.name)))
        }
        if let key = entries.first(where: { entry in !expected.contains { $0.name == entry.key } })?.key {
            throw Self.unknown(key, expected.map(\.name), in: "the body of \(route)")
        }
        var members: [Value.Member] = []
        for member in expected {
            if let value = entries.last(where: { $0.key == member.name })?.value {
                members.append(.init(member.name, try member.resolve(json: value)))
            } else if member.isRequired {
                throw ControlError(
                    .invalid, "the body of \(route) lacks \(quoted(member.name)): \(member.rule.summary)",
                    field: member.name)
            } else if let value = member.rule.defaultValue {
                members.append(.init(member.name, value))
            }
        }
        return expected.isEmpty && given == nil ? nil : .map(members)
    }

    private static func unknown(_ key: String, _ known: [String], in place: String) -> ControlError {
        let hint = Suggestion.nearest(to: key, among: known).map { ": did you mean \(quoted($0))?" } ?? ""
        return ControlError(.invalid, "\(place) has no \(quoted(key))\(hint)\(list(known))", field: key)
    }

    private static func list(_ known: [String]) -> String {
        known.isEmpty ? " (it takes nothing)" : " (it takes \(known.joined(separator: ", ")))"
    }
}
