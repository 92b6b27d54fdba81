internal import GStreamerKit

/// The machine's audio outputs as a trigger of the lifecycle: while none is there that is needed, the output is lost.
@HostActor
final class OutputService {
    /// While none is there the monitor is begun anew after this, doubled each time: a sound server that was not there when a
    /// provider started is not looked for by it again.
    static let firstPause = ClockTime.seconds(5)
    static let longestPause = ClockTime.seconds(300)

    private var presence: OutputPresence?
    private var monitor: (any OutputMonitor)?
    private var retry: HostTimer?
    private var pause = OutputService.firstPause
    private var began = ClockTime.zero
    private var isRunning = false
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

    /// A pipeline that plays to an output has failed. A provider whose server went tells nothing of that, and goes on with the
    /// list it had: it is asked anew, not more often than while none is there.
    func doubt() {
        guard presence != nil, retry == nil else { return }
        let wait = began + Self.firstPause - clock.monotonic()
        if wait > .zero { beginLater(wait) } else { begin() }
    }

    func stop() {
        isRunning = false
        close()
    }

    /// What the API tells of them.
    var status: Value {
        guard let presence else { return ["watch": "off"] }
        return [
            "watch": presence.isKnown ? "on" : presence.isUnlisted ? "unknown" : "asking",
            "device": presence.device.map { .string($0) } ?? .null,
            "lost": .bool(presence.isLost), "devices": .list(presence.outputs.map(Self.value)),
        ]
    }

    private static func value(of output: DeviceIdentity) -> Value {
        ["name": .string(output.name), "node": output.node.map { .string($0) } ?? .null]
    }

    // MARK: - Performing

    private func beginLater(_ wait: ClockTime) {
        retry?.cancel()
        retry = clock.schedule(after: wait) { [weak self] in self?.begin() }
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
        guard case .begun = event, presence?.isLost == true else { return }
        beginLater(pause)
        pause = min(pause + pause, Self.longestPause)
    }

    private func perform(_ actions: [OutputPresence.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: OutputPresence.Action) {
        switch action {
        case .added(let output): post("output.added", output)
        case .removed(let output): post("output.removed", output)
        case .lost:
            let what = presence?.device.map { "the audio output \"\($0)\" is not there" } ?? "no audio output is there"
            log.warning(what)
            pause = Self.firstPause
            beginLater(pause)
            lifecycle.follow(.outputLost(true))
        case .unlisted:
            log.warning(
                "audio outputs cannot be watched: none of GStreamer's device providers lists them (those of the plugins "
                    + "pipewire, pulseaudio and alsa do); none counts as lost")
        case .back(let output):
            log.notice("the audio output \"\(output.name)\" is there")
            retry?.cancel()
            retry = nil
            pause = Self.firstPause
            lifecycle.follow(.outputLost(false))
        }
    }

    private func post(_ name: String, _ output: DeviceIdentity) {
        let payload: Value = [
            "name": .string(output.name), "class": .string(Device.Kind.audioSink.rawValue),
            "node": output.node.map { .string($0) } ?? .null,
        ]
        events.post(name, source: "host", payload)
    }
}
