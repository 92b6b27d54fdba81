import PluginKit
import Synchronization

/// A whole plugin, as small as a useful one gets: settings, a tap, an event and a command.
final class FrameCounter: MediaPlugin {
    struct Settings: PluginRecord {
        let video: PadName
        let announce: Int

        static let fields = Fields(
            Settings.init,
            Field("video", \.video, "The pad whose frames are counted"),
            Field("announce", \.announce, default: 1000, limits: .atLeast(1), "Tell when there were so many"))
    }

    struct Count: PluginRecord {
        let frames: Int

        static let fields = Fields(Count.init, Field("frames", \.frames, "Frames since the start"))
    }

    static let descriptor = PluginDescriptor(
        id: "org.example.frame-counter", name: "Frame counter", version: "1.0.0",
        summary: "Counts the frames of a stream.", requires: [.commands, .events, .tap])

    private let host: Host
    private let settings: Settings
    private let tap: FrameTap

    init(host: Host, settings: Settings) throws(PluginError) {
        self.host = host
        self.settings = settings
        tap = FrameTap(limit: settings.announce) { host.requestMain() }
    }

    func activate() throws(PluginError) { try host.attachTap(settings.video, tap) }

    func onMain() { try? host.post("reached", count()) }

    var commands: [Command] { [Command("count", summary: "Says how many frames have passed.", run: count)] }

    private func count() -> Count { Count(frames: tap.frames.load(ordering: .relaxed)) }
}

/// Counts on the streaming thread, where nothing may wait or allocate.
final class FrameTap: StreamTap {
    let frames = Atomic(0)
    private let limit: Int
    private let reached: @Sendable () -> Void

    init(limit: Int, reached: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.reached = reached
    }

    func buffer(_ buffer: borrowing StreamBuffer) {
        if frames.add(1, ordering: .relaxed).newValue == limit { reached() }
    }
}
