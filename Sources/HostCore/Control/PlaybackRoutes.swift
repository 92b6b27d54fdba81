/// The part of the API that drives one pipeline as a player: `/v1/pipelines/PIPELINE/...`.
enum PlaybackRoutes {
    private static let actions = [
        ("play", "lets a pipeline play"),
        ("pause", "pauses a pipeline; answers when it stands still"),
        ("mode", "with pictures or without, while its sound goes on; the body is {\"mode\": \"video\" or \"audio\"}"),
        (
            "seek",
            "goes on from another place; the body is {\"position\": DURATION, \"to\": \"accurate\" or \"key-frame\"}"
        ),
        ("rate", "plays faster or slower; the body is {\"rate\": NUMBER}"),
    ]

    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        let asks = actions.map { action, summary in
            Route(.post, "/v1/pipelines/{pipeline}/\(action)", summary) { request throws(ControlError) in
                try await target().perform(
                    try PlaybackRequest(action, request.body), on: request.parameters["pipeline"] ?? "")
            }
        }
        return asks + [
            Route(.get, "/v1/pipelines/{pipeline}/position", "where a pipeline plays, how fast, and up to where") {
                request throws(ControlError) in
                try await target().playback(of: request.parameters["pipeline"] ?? "")
            }
        ]
    }
}
