internal import GStreamerKit

/// The machine's audio outputs as a trigger of the lifecycle: while none is there that is needed, the output is lost.
@HostActor
final class OutputService {
    /// While none is there, or nobody can say, the monitor is begun anew after this, doubled each time: a sound server that was
    /// not there when a provider started is not looked for by it again.
    static let firstPause = ClockTime.seconds(5)
    /// So often it is done while one is there: a provider whose server was started anew tells nothing any more.
    static let longestPause = ClockTime.seconds(300)

    private var presence: OutputPresence?
    private var monitor: (any OutputMonitor)?
    private var retry: HostTimer?
    private var pause = OutputService.firstPause
    private var began = ClockTime.zero
    private var isRunning = false
    private var unsubscribe: (@HostActor () -> Void)?
    private let lifecycle: LifecycleController
    private let events: EventHub
    private let clock: any HostClock
    private let log: Log
    private let makeMonitor: @HostActor () -> any OutputMonitor

    init(
        lifecycle: LifecycleController, events: EventHub, clock: any HostClock, log: Log,
        makeMonitor: @escaping @HostActor () -> any OutputMonitor
    ) {
        self.lifecycle = lifecycle
        self.events = events
        self.clock = clock
        self.log = log
        self.makeMonitor = makeMonitor
    }

    /// - Parameter isNeeded: whether some pipeline plays to one.
    func start(_ settings: OutputSettings, isNeeded: Bool) {
        isRunning = true
        // A sound server may have been started anew while nothing played that would have failed.
        unsubscribe = events.subscribe { [weak self] event in
            if event.name == LifecycleChange.didResume.eventName { self?.doubt() }
        }
        use(settings, isNeeded: isNeeded)
    }

    /// From now on these are the settings.
    func use(_ settings: OutputSettings, isNeeded: Bool) {
        guard isRunning else { return }
        let isWatched =
            switch settings.watch {
            case .auto: isNeeded
            case .on: true
            case .off: false
            }
        guard isWatched else {
            let wasLost = presence?.isLost ?? false
            close()
            if wasLost { lifecycle.follow(.outputLost(false)) }
            return
        }
        if presence != nil {
            if presence?.device != settings.device { perform(presence?.need(settings.device) ?? []) }
        } else {
            presence = OutputPresence(device: settings.device)
            begin()
        }
    }

    /// A pipeline that plays to an output has failed, or the host plays again. A provider whose server went tells nothing of
    /// that, and goes on with the list it had: it is asked anew, not more often than while none is there, and not before it has
    /// answered.
    func doubt() {
        guard let presence, !presence.isWaiting, isFound || (isWithoutServer && retry == nil) else { return }
        let wait = began + (isFound ? Self.firstPause : Self.longestPause) - clock.monotonic()
        if wait > .zero { beginLater(wait) } else { begin() }
    }

    func stop() {
        isRunning = false
        unsubscribe?()
        unsubscribe = nil
        close()
    }

    /// What the API tells of them.
    var status: Value {
        guard let presence else { return ["watch": "off"] }
        return [
            "watch": presence.isWaiting ? "asking" : presence.isKnown ? "on" : "unknown",
            "device": presence.device.map { .string($0) } ?? .null,
            "lost": .bool(presence.isLost), "devices": .list(presence.outputs.map(Self.value)),
        ]
    }

    private static func value(of output: DeviceIdentity) -> Value {
        ["name": .string(output.name), "node": output.node.map { .string($0) } ?? .null]
    }

    // MARK: - Performing

    /// Whether the one that is needed is there, as far as is known.
    private var isFound: Bool { presence?.isKnown == true && presence?.isLost == false }

    /// Whether nobody could ever say which ones there are.
    private var isWithoutServer: Bool { presence?.isUnlisted == true }

    private func beginLater(_ wait: ClockTime) {
        retry?.cancel()
        retry = clock.schedule(after: wait) { [weak self] in
            // One that does not answer keeps the next from starting: its list, when it comes, is as good.
            if self?.presence?.isWaiting == false { self?.begin() }
        }
    }

    private func begin() {
        retry?.cancel()
        retry = nil
        began = clock.monotonic()
        monitor?.stop()
        let monitor = makeMonitor()
        self.monitor = monitor
        presence?.renew()
        monitor.onEvent = { [weak self] in self?.handle($0) }
        monitor.start()
    }

    private func close() {
        retry?.cancel()
        retry = nil
        pause = Self.firstPause
        monitor?.stop()
        monitor = nil
        presence = nil
    }

    private func handle(_ event: OutputPresence.Event) {
        guard let actions = presence?.handle(event) else { return }
        perform(actions)
        switch event {
        case .begun, .unlisted:
            if isFound { return beginLater(Self.longestPause) }
            // Where there is no sound server there will be none: each start of its provider is a line in the log.
            guard !isWithoutServer || pause < Self.longestPause else { return }
            beginLater(pause)
            pause = min(pause + pause, Self.longestPause)
        case .added, .removed, .changed: break
        }
    }

    private func perform(_ actions: [OutputPresence.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: OutputPresence.Action) {
        switch action {
        case .added(let output): post("output.added", output)
        case .removed(let output): post("output.removed", output)
        case .lost:
            log.warning(absence)
            pause = Self.firstPause
            beginLater(pause)
            lifecycle.follow(.outputLost(true))
        case .unlisted:
            log.warning(
                "audio outputs cannot be watched: none of GStreamer's device providers tells of them (those of the plugins "
                    + "pipewire and pulseaudio do, where their sound server runs); none counts as lost")
        case .back(let output):
            log.notice("the audio output \"\(output.name)\" is there")
            pause = Self.firstPause
            beginLater(Self.longestPause)
            lifecycle.follow(.outputLost(false))
        }
    }

    private var absence: String {
        guard let presence, let device = presence.device else { return "no audio output is there" }
        let names = presence.outputs.map { output in
            "\"\(output.name)\"" + (output.node.map { " (node \($0))" } ?? "")
        }
        let others = names.isEmpty ? "nor is any other" : "there is \(names.joined(separator: ", "))"
        return
            "the audio output \"\(device)\" is not there, \(others); `outputs: { device: NAME }` says which one is needed"
    }

    private func post(_ name: String, _ output: DeviceIdentity) {
        let payload: Value = [
            "name": .string(output.name), "class": .string(Device.Kind.audioSink.rawValue),
            "node": output.node.map { .string($0) } ?? .null,
        ]
        events.post(name, source: "host", payload)
    }
}
