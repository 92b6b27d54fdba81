/// The part of the API that tells the host what happens around it. Each answers when everybody was told and the pipelines
/// have followed.
enum LifecycleRoutes {
    /// Who interrupts, where the request names nobody.
    static let usualSource = "api"
    static let longestSource = 64

    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        func route(
            _ path: String, _ summary: String,
            _ trigger: @escaping @Sendable (ControlRequest) throws(ControlError) -> LifecycleTrigger
        ) -> Route {
            Route(.post, path, summary) { request throws(ControlError) in
                try await target().follow(trigger(request))
            }
        }
        return [
            Route(.post, "/v1/pause", "pauses the host; answers when the pipelines follow their background mode") {
                _ throws(ControlError) in try await target().pause()
            },
            Route(.post, "/v1/resume", "resumes the host; answers when the pipelines were started") {
                _ throws(ControlError) in try await target().resume()
            },
            route("/v1/lock", "the session is locked; the host may go on capturing") { _ in .locked(true) },
            route("/v1/unlock", "the session is unlocked") { _ in .locked(false) },
            route(
                "/v1/interrupt/begin",
                "something more important has the output; the body may be {\"source\": TEXT}: several may overlap"
            ) { request throws(ControlError) in
                let body = try Body(request, keys: ["source"])
                return .interruptionBegan(source: try body.source())
            },
            route(
                "/v1/interrupt/end",
                "it is over; the body may be {\"source\": TEXT, \"resume\": BOOLEAN}: without resume the user is waited for"
            ) { request throws(ControlError) in
                let body = try Body(request, keys: ["source", "resume"])
                return .interruptionEnded(source: try body.source(), shouldResume: try body.flag("resume") ?? false)
            },
            route("/v1/low-power", "energy is to be saved, or not any more; the body is {\"on\": BOOLEAN}") {
                request throws(ControlError) in
                guard let isOn = try Body(request, keys: ["on"]).flag("on") else {
                    throw ControlError(.invalid, "the body must be {\"on\": true} or {\"on\": false}", field: "on")
                }
                return .lowPower(isOn)
            },
        ]
    }

    /// The body of a request: a map with these keys at most, or nothing.
    private struct Body {
        private let value: Value

        init(_ request: ControlRequest, keys: [String]) throws(ControlError) {
            value = request.body ?? .map([])
            guard let members = value.members else {
                throw ControlError(.invalid, "the body must be a JSON object")
            }
            if let unknown = members.first(where: { !keys.contains($0.key) })?.key {
                let hint = Suggestion.nearest(to: unknown, among: keys).map { "did you mean \"\($0)\"? " } ?? ""
                throw ControlError(
                    .invalid, "unknown key \"\(unknown)\" in the body: \(hint)there is \(keys.joined(separator: ", "))",
                    field: unknown)
            }
        }

        func flag(_ key: String) throws(ControlError) -> Bool? {
            guard let member = value[key] else { return nil }
            guard let flag = member.bool else {
                throw ControlError(.invalid, "\"\(key)\" must be true or false", field: key)
            }
            return flag
        }

        func source() throws(ControlError) -> String {
            guard let member = value["source"] else { return LifecycleRoutes.usualSource }
            guard let name = member.string, !name.isEmpty, name.utf8.count <= LifecycleRoutes.longestSource else {
                throw ControlError(
                    .invalid, "\"source\" must be a name of 1 to \(LifecycleRoutes.longestSource) bytes",
                    field: "source")
            }
            return name
        }
    }
}
