internal import GStreamerKit

/// The part of the API that is about commands that take long.
enum JobRoutes {
    /// How long an answer may be waited for.
    static let patience = RouteMember.duration(
        "wait", "how long to wait for the end, as in 5s; a command that takes longer goes on as a job")

    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        [
            Route(
                .get, "/v1/jobs", "the commands that run now, and the last ones that went on as jobs and have ended",
                RouteContract(answer: .named("JobList", "the oldest first"))
            ) { _ throws(ControlError) in ["jobs": try target().jobs.list] },
            Route(
                .get, "/v1/jobs/{job}", "how far a job is, or what came of it",
                RouteContract(query: [patience], answer: .named("Job", "the job"))
            ) { request throws(ControlError) in
                try await target().jobs.job(request.parameters["job"] ?? "", patience: request.patience)
            },
            Route(
                .post, "/v1/jobs/{job}/cancel", "asks for the end of a job",
                RouteContract(answer: .named("Job", "the job, which ends when its plugin is ready to"))
            ) { request throws(ControlError) in try target().jobs.cancel(request.parameters["job"] ?? "") },
        ]
    }
}

extension ControlRequest {
    /// Nil where the client has not said.
    var patience: ClockTime? { options["wait"]?.int.map { ClockTime(nanoseconds: $0) } }
}
