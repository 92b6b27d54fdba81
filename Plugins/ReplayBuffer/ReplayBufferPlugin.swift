import GStreamerKit
import Locking
package import PluginKit

/// Keeps the last seconds of encoded streams in memory and saves them as clips when asked.
///
/// Over a pause nothing is wiped: media time goes on where it stopped, so a clip across a pause steps one frame there.
package final class ReplayBufferPlugin: MediaPlugin {
    package static let descriptor = PluginDescriptor(
        id: "org.mediahost.replay-buffer", name: "Replay buffer", vendor: "mediahost", version: "0.2.0",
        license: "MIT", summary: "Keeps the last seconds of encoded streams and saves them as clips when asked.",
        requires: [.clock, .commands, .tap, .worker],
        optional: [.events, .fileStore, .gst, .lifecycle, .metrics, .routes, .stateDirectory, .timer])

    /// What main touches, and workers where a save ends.
    struct MainState {
        var markers = Markers()
        /// Triggers whose post-roll is still to come.
        var waiting: [WaitingClip] = []
        var saved = SavedParts()
        var losses = LossReport()
        var numbers: ReplayMetrics?
        var timer: TimerHandle?
        /// Looks at the player while there is an output.
        var ticks: TimerHandle?
    }

    let host: Host
    let settings: ReplaySettings
    let store: ReplayStore
    let makeWriter: ClipWriterFactory
    let player: ReplayPlayer
    let window: WindowDesk
    let directories = ClipDirectories()
    let main = Locked(MainState())

    package convenience init(host: Host, settings: ReplaySettings) throws(PluginError) {
        try self.init(host: host, settings: settings) { (descriptor, container, tracks) throws(PluginError) in
            try container.writer(descriptor, tracks)
        }
    }

    /// - Parameter makeWriter: tests bring their own.
    init(host: Host, settings: ReplaySettings, makeWriter: @escaping ClipWriterFactory) throws(PluginError) {
        self.host = host
        self.settings = settings
        self.makeWriter = makeWriter
        guard settings.audio.count <= ReplaySettings.audioLimit else {
            throw PluginError(
                "audio has \(settings.audio.count) pads; \(ReplaySettings.audioLimit) are the most", code: .limit,
                key: "audio")
        }
        let pipeline = Self.pipeline(of: settings.video.text)
        for (number, pad) in settings.audio.enumerated() {
            if pad == settings.video || settings.audio[..<number].contains(pad) {
                throw PluginError("\(pad) is named twice", code: .invalid, key: "audio[\(number)]")
            }
            // One timeline is one pipeline's.
            guard Self.pipeline(of: pad.text) == pipeline else {
                throw PluginError(
                    "\(pad) is not of pipeline \(pipeline), whose video is kept; sound of another pipeline has another "
                        + "timeline", code: .invalid, key: "audio[\(number)]")
            }
        }
        if let sound = settings.outputAudio {
            guard !settings.audio.isEmpty else {
                throw PluginError(
                    "there is no sound to play; name its pad in audio", code: .invalid, key: "output-audio")
            }
            guard let output = settings.output, Self.pipeline(of: output.text) == Self.pipeline(of: sound.text),
                output != sound
            else {
                throw PluginError(
                    "\(sound) must be another appsrc of the pipeline that output names", code: .invalid,
                    key: "output-audio")
            }
        }
        store = try Self.makeStore(settings, host)
        window = WindowDesk(store, settings)
        player = ReplayPlayer(store) { host.monotonic?.nanoseconds ?? 0 }
        let markers = store.markers
        main.withLock { $0.markers = markers }
    }

    package func activate() throws(PluginError) {
        let numbers = try ReplayMetrics(host)
        main.withLock { $0.numbers = numbers }
        try host.attachTap(settings.video, store)
        for (number, pad) in settings.audio.enumerated() {
            try host.attachTap(pad, TrackTap(store, track: UInt8(number + 1)))
        }
        try host.submit { [self] in
            if let state = try? host.stateDirectory() { tellRemoved(directories.sweep(state)) }
        }
        do throws(PluginError) {
            let timer = try host.schedule(after: .seconds(5), every: .seconds(5), slack: .seconds(5)) {
                [weak self] _ in self?.measure()
            }
            main.withLock { $0.timer = timer }
        } catch {
            guard error.code == .unsupported else { throw error }
        }
    }

    package func deactivate() {
        main.withLock { state in
            state.timer = nil
            state.ticks = nil
            for clip in state.waiting {
                clip.reply.reject(PluginError("the trigger was given up: the instance ends", code: .cancelled))
            }
            state.waiting = []
        }
    }

    // MARK: News

    /// Told by the streaming thread that there is news.
    package func onMain() {
        for news in store.takeNews() {
            switch news {
            case .oversized, .held: main.withLock { $0.losses.lost(news) }
            case .needsKey: requestKeyFrame()
            case .reached: startTriggers(all: false)
            case .ended: startTriggers(all: true)
            }
        }
        tellLosses()
    }

    private func tellLosses() {
        let now = time
        for loss in main.withLock({ $0.losses.due(at: now) }) {
            switch loss {
            case .oversized:
                host.log(
                    .warning,
                    "the time between two key frames of \(settings.video) needs more than memory=\(settings.memory), "
                        + "or is longer than twice window=\(Spelled.seconds(settings.window.wholeNanoseconds)), so nothing of it is kept; give more memory, or "
                        + "the encoder a shorter key-int")
                tell("lost", ["why": "oversized"])
            case .held:
                host.log(
                    .warning,
                    "new frames of \(settings.video) were lost while a clip was written from a full buffer; "
                        + "give more memory or save to a faster disk (counted by status)")
                tell("lost", ["why": "held"])
            case .needsKey, .reached, .ended: break
            }
        }
    }

    /// The encoder may not know the event, or the host may not let us at it: then the next key frame comes when it comes.
    private func requestKeyFrame() {
        guard let dot = settings.video.text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return }
        let name = ElementName(text: String(settings.video.text[..<dot]))
        let pad = String(settings.video.text[settings.video.text.utf8.index(after: dot)...])
        guard let raw = try? host.element(name) else { return }
        Element(adoptingRaw: raw).pad(named: pad)?.requestKeyFrameUpstream()
    }

    /// - Thread: worker.
    func tellRemoved(_ count: Int) {
        guard count > 0 else { return }
        host.log(.notice, "removed \(count) unfinished clip\(count == 1 ? "" : "s") that a former run left behind")
    }

    func tell(_ event: String, _ payload: PluginValue) {
        // Nobody listens where the host has no events.
        try? host.post(event, payload)
    }

    private func measure() {
        tellWaiting()
        tellLosses()
        let status = store.status
        main.withLock { state in
            state.numbers?.show(status)
            state.markers.evict(before: status.frames > 0 ? status.oldest : .min)
        }
    }

    // MARK: The host's life

    package func lifecycle(_ change: LifecycleChange, state: LifecycleState, acknowledgement: Acknowledgement) {
        let now = time
        switch change {
        case .willPause: store.movePosition { position, _ in position.willPause(at: now) }
        case .didPause:
            store.movePosition { $0.didPause(at: now, oldest: $1) }
            startTriggers(all: true)
        case .willResume: store.movePosition { position, _ in position.willResume() }
        case .didResume, .changed, .unknown: break
        }
    }

    package var subscriptions: [String] { ["pipeline.state"] }

    /// A source that was stopped alone, failed or is built anew: nothing comes of it meanwhile.
    package func handle(_ event: PluginEvent) {
        guard event.name == "pipeline.state", event.source == Self.pipeline(of: settings.video.text),
            case .string(let state)? = event.payload["state"],
            ["stopped", "paused", "recovering", "failed", "finished"].contains(state)
        else { return }
        let now = time
        store.movePosition { $0.hold(at: now, oldest: $1) }
        startTriggers(all: true)
    }

    /// CLOCK_MONOTONIC.
    var time: Int64 { host.monotonic?.nanoseconds ?? 0 }

    /// `cam` of `cam/encoded.src`.
    static func pipeline(of path: String) -> String {
        String(path[..<(path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex)])
    }

    package var commands: [Command] { clipCommands + timelineCommands + viewerCommands }
    package var routes: [Route] { windowRoutes }
}

extension Host {
    /// - Thread: any.
    var wallTimes: WallTimes {
        WallTimes(
            monotonic: monotonic?.nanoseconds ?? 0, boottime: boottime?.nanoseconds ?? 0,
            realtime: realtime?.nanoseconds ?? 0)
    }
}
