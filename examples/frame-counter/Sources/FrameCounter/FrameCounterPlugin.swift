package import PluginKit

/// One instance: an entry under `plugins:` in the config.
///
/// All calls but those of the tap come on the host's control thread, one at a time, and return at once.
package final class FrameCounterPlugin: MediaPlugin {
    /// The keys of the config. The host has checked them and filled in the defaults before a plugin sees them.
    package struct Settings: PluginRecord {
        let pad: PadName
        let every: Int

        package static let fields = Fields(
            Settings.init,
            Field("pad", \.pad, "The pad to count at"),
            Field("every", \.every, default: 100, limits: .atLeast(1), "Buffers between two events"))
    }

    /// What the command answers, and the event says.
    package struct Count: PluginRecord {
        let buffers: Int

        package static let fields = Fields(Count.init, Field("buffers", \.buffers, "Buffers since the start"))
    }

    package static let descriptor = PluginDescriptor(
        id: "org.example.frame-counter", name: "FrameCounter", version: "0.1.0", license: "MIT",
        summary: "Counts the buffers that pass a pad.", requires: [.commands, .events, .metrics, .tap])

    private let host: Host
    private let settings: Settings
    private let counter: BufferCounter

    package init(host: Host, settings: Settings) throws(PluginError) {
        self.host = host
        self.settings = settings
        let passed = try host.counter("buffers", help: "Buffers that have passed the pad.")
        counter = BufferCounter(every: settings.every, passed: passed) { host.requestMain() }
    }

    /// The host puts the tap back after every rebuild of the pipeline.
    package func activate() throws(PluginError) { try host.attachTap(settings.pad, counter) }

    package var commands: [Command] { [Command("count", summary: "How many buffers have passed.", run: count)] }

    /// The answer to `requestMain`. Several requests may have become one call.
    package func onMain() {
        do throws(PluginError) {
            try host.post("reached", count())
        } catch {
            host.log(.warning, error.message)
        }
    }

    private func count() -> Count { Count(buffers: counter.buffers) }
}
