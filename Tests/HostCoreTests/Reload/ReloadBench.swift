import GStreamerKit
import HostTestKit
import Locking
import Testing

@testable import HostCore

/// A host over a file that a test writes anew, and what it told.
@HostActor
final class ReloadBench {
    let directory: TemporaryDirectory
    let host: Host
    let log = Recorder<String>()
    private(set) var events: [Event] = []
    private var waiting: [(isMet: (Event) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    private let ended: Ended

    /// How the host ended, for `end` to wait for.
    @HostActor
    private final class Ended {
        var ending: Host.Ending?
        var waiter: CheckedContinuation<Host.Ending, Never>?
    }

    /// What the machine's own logind says is none of a test's business.
    private static let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"]

    init(_ config: String, clock: any HostClock = SystemClock(), plugins: [String] = []) throws {
        directory = try TemporaryDirectory()
        let path = directory.path("h.yaml")
        try ("mediahost: 1\n" + config).write(toFile: path, atomically: true, encoding: .utf8)
        let loaded = try ConfigurationCheck.load(path, environment: [:])
        let configuration = try #require(
            loaded.configuration, "\(DiagnosticRenderer().render(loaded.diagnostics))")
        let ended = Ended()
        self.ended = ended
        let gate = PluginGate(
            unprobed: PluginSearch(directories: plugins), log: Log(upTo: .error) { _, _, _ in })
        gate.admit(configuration.plugins)
        host = Host(
            configuration, source: ConfigurationSource(path: path, environment: Self.environment), clock: clock,
            log: Log(upTo: .debug) { [log] level, source, text in log.record("\(source): \(level): \(text)") },
            gate: gate
        ) { ending in
            ended.ending = ending
            ended.waiter?.resume(returning: ending)
        }
        _ = host.events.subscribe { [weak self] in self?.follow($0) }
        #expect(host.start().isEmpty)
    }

    func write(_ config: String) throws {
        try ("mediahost: 1\n" + config).write(toFile: directory.path("h.yaml"), atomically: true, encoding: .utf8)
    }

    func reload(_ config: String) async throws -> ReloadReport {
        try write(config)
        return await host.reloader.reload()
    }

    /// Returns with the next event that is meant.
    func awaits(_ isMet: @escaping (Event) -> Bool) async {
        await withCheckedContinuation { waiting.append((isMet, $0)) }
    }

    /// Returns when a pipeline is in a state, at once where it is already.
    func awaits(_ pipeline: String, _ state: String) async {
        if host.pipelines[pipeline]?.condition.rawValue == state { return }
        await awaits { $0.source == pipeline && $0.name == "pipeline.state" && $0.payload["state"]?.string == state }
    }

    func names(of prefix: String) -> [String] { events.map(\.name).filter { $0.hasPrefix(prefix) } }

    func end() async -> Host.Ending {
        host.shutDown()
        if let ending = ended.ending { return ending }
        return await withCheckedContinuation { ended.waiter = $0 }
    }

    private func follow(_ event: Event) {
        events.append(event)
        let met = waiting.filter { $0.isMet(event) }
        waiting.removeAll { $0.isMet(event) }
        for waiter in met { waiter.continuation.resume() }
    }
}

/// Follows one pad over every build: which epochs there were, and whether a buffer was lost or came twice.
final class SequenceTap: TapClient {
    struct State: Sendable, Equatable {
        var epochs: [UInt32] = []
        var buffers = 0
        /// Steps that were not one frame, within an epoch and between two.
        var breaks: [ClockTime] = []
        var refusal: String?
        var last: ClockTime?
    }

    private let frame: ClockTime
    private let state = Locked(State())

    init(frame: ClockTime) { self.frame = frame }

    var seen: State { state.withLock { $0 } }

    func epoch(_ epoch: TapEpoch) { state.withLock { $0.epochs.append(epoch.number) } }
    func format(id: UInt32, caps: Caps) {}
    func buffer(_ buffer: borrowing TapBuffer) {
        let pts = buffer.pts
        state.withLock { state in
            if let last = state.last, let pts, pts - last != frame { state.breaks.append(pts - last) }
            state.last = pts
            state.buffers += 1
        }
    }
    func gap(pts: ClockTime, duration: ClockTime?) {}
    func endOfStream() {}
    func refused(_ failure: PipelineFailure) { state.withLock { $0.refusal = failure.message } }
    func detached() {}
}
