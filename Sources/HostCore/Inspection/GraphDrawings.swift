internal import GStreamerKit

/// Runs graphviz for clients: few at a time, and none for long.
@HostActor
final class GraphDrawings {
    /// A drawing keeps a processor busy: the pipelines come first.
    nonisolated static let most = 2
    static let deadline = ClockTime.seconds(10)

    private var places = SharedPlaces(most)
    var underWay: Int { places.taken }

    private let program: String

    /// - Parameter program: graphviz's, a name that is looked for in $PATH, or a path.
    nonisolated init(program: String = "dot") { self.program = program }

    /// - Throws: `busy` where others are drawn already, or it takes too long; `state` where graphviz is not installed or
    ///   failed.
    func svg(
        of dot: String, from origin: RequestOrigin, workers: WorkerPool, clock: any HostClock
    ) async throws(ControlError) -> String {
        guard places.hasRoom(for: origin) else {
            throw ControlError(.busy, "\(underWay) graphs are being drawn: try again later, or take `format=dot`")
        }
        places.take(origin)
        let stop = Graphviz.Stop()
        let timer = clock.schedule(after: Self.deadline) { stop.now() }
        let drawn = await withCheckedContinuation { continuation in
            workers.submit { [program] in
                let result = Result { () throws(Graphviz.Failure) in
                    try Graphviz.svg(of: dot, stop: stop, program: program)
                }
                HostActor.enqueue { continuation.resume(returning: result) }
            }
        }
        timer.cancel()
        places.giveBack(origin)
        do throws(Graphviz.Failure) {
            return try drawn.get()
        } catch {
            guard !stop.isSet else {
                throw ControlError(
                    .busy,
                    "graphviz did not draw it within \(Quantity.durationText(Self.deadline.nanoseconds)): take "
                        + "`format=dot` and draw it elsewhere")
            }
            throw ControlError(.state, error.message)
        }
    }
}
