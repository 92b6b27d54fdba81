import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// A controller and the notices it gave.
@HostActor
final class PipelineBench {
    private(set) var controller: PipelineController?
    private(set) var states: [String] = []
    private(set) var firstBuffers: [String] = []
    /// How long each of them took.
    private(set) var firstBufferDelays: [ClockTime] = []
    private(set) var modes: [MediaMode] = []
    private(set) var warnings: [String] = []
    /// Told of each build before anything flows.
    var onBuilt: ((Pipeline) -> Void)?
    /// Told of each state before what follows from it is begun.
    var onState: ((PipelineController) -> Void)?
    private var waiting: [(what: String, continuation: CheckedContinuation<Void, any Error>)] = []

    /// What is waited for cannot come any more.
    struct NeverComes: Error, CustomStringConvertible {
        let description: String
    }

    init(
        _ launch: String, warmUp: WarmUp? = nil, limits: PipelineController.Limits = .init(),
        clock: any HostClock = SystemClock(), _ configure: (inout PipelineDescription) -> Void = { _ in }
    ) {
        var problems: [Diagnostic] = []
        var description = PipelineDescription(
            name: "p", launch: LaunchParser.parse(LaunchParserTests.text(launch), diagnostics: &problems),
            warmUp: warmUp, location: SourceSpan(file: SourceFile(path: "p.yaml", text: launch), range: 0..<1))
        // A machine that is busy, or a sanitizer, makes nothing late here but what a test says.
        description.startTimeout = nil
        description.stallTimeout = nil
        configure(&description)
        controller = PipelineController(
            description, clock: clock, workers: WorkerPool(), limits: limits
        ) { [weak self] controller, notice in self?.follow(controller, notice) }
    }

    var pipeline: PipelineController {
        get throws { try #require(controller) }
    }

    /// Returns when the state is reached, at once where it is already.
    func reaches(_ state: String) async throws {
        if try pipeline.condition.rawValue == state { return }
        try await comes(state)
    }

    /// Returns when it next comes into the state.
    func changes(to state: String) async throws { try await comes(state) }

    /// Returns when a first buffer was told that often.
    func showsItsFirstBuffer(_ count: Int = 1) async throws {
        while firstBuffers.count < count { try await comes("first buffer") }
    }

    /// Returns when it has told this mode last.
    func presents(_ mode: MediaMode) async throws {
        while modes.last != mode { try await comes("mode") }
    }

    /// - Throws: `NeverComes` where it has ended, or ends meanwhile, or the time of the test is over.
    private func comes(_ what: String) async throws {
        if try pipeline.machine.hasEnded { throw neverComes(what) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting.append((what, $0)) }
        } onCancel: {
            HostActor.enqueue { self.giveUp() }
        }
    }

    private func neverComes(_ what: String) -> NeverComes {
        let condition = controller.map { "\($0.condition.rawValue): \($0.reason.text)" } ?? "gone"
        return NeverComes(description: "awaited \(what), but it is \(condition)")
    }

    private func giveUp() {
        let given = waiting
        waiting = []
        for waiter in given { waiter.continuation.resume(throwing: neverComes(waiter.what)) }
    }

    private func meet(_ what: String) {
        let met = waiting.filter { $0.what == what }
        waiting.removeAll { $0.what == what }
        for waiter in met { waiter.continuation.resume() }
    }

    private func follow(_ controller: PipelineController, _ notice: PipelineController.Notice) {
        switch notice {
        case .stateChanged(let condition, _):
            states.append(condition.rawValue)
            onState?(controller)
            meet(condition.rawValue)
        case .firstBuffer(let element, let delay):
            firstBuffers.append(element)
            firstBufferDelays.append(delay)
            meet("first buffer")
        case .ended: giveUp()
        case .built(let pipeline): onBuilt?(pipeline)
        case .modeChanged(let mode, _):
            modes.append(mode)
            meet("mode")
        case .warning(let text): warnings.append(text)
        case .releasing: break
        }
    }
}
