internal import GStreamerKit

/// The part of the API that is about one pipeline: `/v1/pipelines/PIPELINE/...`. What drives it as a player is in
/// `PlaybackRoutes`.
enum PipelineRoutes {
    private static let properties = "/v1/pipelines/{pipeline}/properties/{property}"
    /// Of a property. Rules take the same.
    static let value = RouteMember.text("value", "the value as a launch text says it", isRequired: true)
    private static let sides = PictureSize.sides

    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        [
            Route(
                .get, "/v1/pipelines", "all pipelines: what each does, and how well",
                RouteContract(answer: .named("PipelineList", "in the order of the config"))
            ) { _ throws(ControlError) in try await target().listPipelines() },
            Route(
                .get, "/v1/pipelines/{pipeline}", "everything of a pipeline, with what may be set",
                RouteContract(answer: .named("Pipeline", "the pipeline"))
            ) { request throws(ControlError) in
                try await target().showPipeline(request.parameters["pipeline"] ?? "")
            },
            Route(
                .post, "/v1/pipelines/{pipeline}/restart",
                "stops a pipeline, waits until its files are finished, and starts it again"
            ) { request throws(ControlError) in
                try await target().restart(pipeline: request.parameters["pipeline"] ?? "")
            },
            Route(.post, "/v1/pipelines/{pipeline}/start", "starts a pipeline, also one that has ended") {
                request throws(ControlError) in
                try target().start(pipeline: request.parameters["pipeline"] ?? "")
            },
            Route(.post, "/v1/pipelines/{pipeline}/stop", "stops a pipeline; answers when its files are finished") {
                request throws(ControlError) in
                try await target().stop(pipeline: request.parameters["pipeline"] ?? "")
            },
            Route(
                .get, properties, "a property's value, by element.property",
                RouteContract(answer: .named("Property", "its value"))
            ) {
                request throws(ControlError) in
                try await target().property(
                    request.parameters["property"] ?? "", of: request.parameters["pipeline"] ?? "")
            },
            Route(
                .post, properties, "sets a property that `settable:` lists",
                RouteContract(
                    body: .members([
                        value, SettingRoutes.save,
                    ]), answer: .named("Property", "its value now"))
            ) { request throws(ControlError) in
                try await target().set(
                    request.parameters["property"] ?? "", of: request.parameters["pipeline"] ?? "",
                    to: request.body?["value"]?.string ?? "", saving: request.body?["save"]?.bool ?? false)
            },
            Route(
                .get, "/v1/pipelines/{pipeline}/graph", "what a pipeline is made of, with its live caps",
                RouteContract(
                    query: [
                        .choice(
                            "format", GraphFormat.allCases.map(\.rawValue), default: "dot",
                            "graphviz's language, drawn by graphviz, or elements, pads and links")
                    ],
                    answer: RouteAnswer(
                        summary: "the graph", contentTypes: GraphFormat.allCases.map(\.contentType), schema: [:]))
            ) { request in
                do throws(ControlError) {
                    let format = request.options["format"]?.string.flatMap { GraphFormat(rawValue: $0) } ?? .dot
                    return ControlResponse(
                        payload: try await target().graph(
                            pipeline: request.parameters["pipeline"] ?? "", format: format, from: request.origin))
                } catch {
                    return ControlResponse(error)
                }
            },
            Route(
                .get, "/v1/pipelines/{pipeline}/snapshot",
                "a picture of what it shows, or of what passes one of its pads",
                RouteContract(
                    query: [
                        .text(
                            "pad", "ELEMENT.PAD, as in `camera.src`; without it what the pipeline shows",
                            pattern: RouteMember.twoNames),
                        .choice("format", PictureFormat.allCases.map(\.rawValue), default: "jpeg", "what kind of file"),
                        .whole("width", sides, "pixels; without it as the height says, or as the picture is"),
                        .whole("height", sides, "pixels; without it as the width says, or as the picture is"),
                    ], answer: .bytes(PictureFormat.allCases.map(\.contentType), "the picture"))
            ) { request in
                do throws(ControlError) {
                    return ControlResponse(
                        payload: try await target().snapshot(
                            SnapshotRequest(request.options), of: request.parameters["pipeline"] ?? "",
                            from: request.origin))
                } catch {
                    return ControlResponse(error)
                }
            },
        ]
    }
}
