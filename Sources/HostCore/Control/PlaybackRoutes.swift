internal import GStreamerKit

/// The part of the API that drives one pipeline as a player: `/v1/pipelines/PIPELINE/...`.
enum PlaybackRoutes {
    private struct Action {
        var name: String
        var summary: String
        var members: [RouteMember] = []
        /// Of a body that was checked.
        var request: @Sendable (Value) -> PlaybackRequest
    }

    private static var actions: [Action] {
        [
            Action(name: "play", summary: "lets a pipeline play") { _ in .play },
            Action(name: "pause", summary: "pauses a pipeline; answers when it stands still") { _ in .pause },
            Action(
                name: "mode", summary: "with pictures or without, while its sound goes on",
                members: [
                    .choice("mode", MediaMode.allCases.map(\.rawValue), "`audio` is without pictures", isRequired: true)
                ]
            ) { .mode($0["mode"]?.string.flatMap { MediaMode(rawValue: $0) } ?? .video) },
            Action(
                name: "seek", summary: "goes on from another place",
                members: place, request: seek),
            Action(name: "rate", summary: "plays faster or slower", members: speed, request: rate),
        ]
    }

    /// Where to, of a seek. Rules take the same.
    // Made anew each time: leak checkers do not see what a constant of this type refers to.
    static var place: [RouteMember] {
        [
            .duration("position", "from the beginning, as \"90s\" or in nanoseconds", isRequired: true),
            .choice(
                "to", ["accurate", "key-frame"], default: "accurate",
                "that very sample and picture, or the key frame before it, which is faster"),
        ]
    }

    /// How fast. Rules take the same.
    static var speed: [RouteMember] {
        [.number("rate", PlaybackRequest.rates, "1 is as it was recorded", isRequired: true)]
    }

    /// - Parameter members: checked.
    static func seek(_ members: Value) -> PlaybackRequest {
        .seek(
            to: ClockTime(nanoseconds: members["position"]?.int ?? 0), isAccurate: members["to"]?.string != "key-frame")
    }

    /// - Parameter members: checked.
    static func rate(_ members: Value) -> PlaybackRequest { .rate(members["rate"]?.double ?? 1) }

    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        let answer = RouteAnswer.named("Playback", "where it plays then")
        let asks = actions.map { action in
            Route(
                .post, "/v1/pipelines/{pipeline}/\(action.name)", action.summary,
                RouteContract(body: action.members.isEmpty ? .nothing : .members(action.members), answer: answer)
            ) { [request = action.request] asked throws(ControlError) in
                try await target().perform(
                    request(asked.body ?? .map([])), on: asked.parameters["pipeline"] ?? "")
            }
        }
        return asks + [
            Route(
                .get, "/v1/pipelines/{pipeline}/position", "where a pipeline plays, how fast, and up to where",
                RouteContract(answer: answer)
            ) {
                request throws(ControlError) in
                try await target().playback(of: request.parameters["pipeline"] ?? "")
            }
        ]
    }
}
