package import PluginKit

/// One instance: an entry under `plugins:` in the config.
///
/// All calls but those of the tap come on the host's control thread, one at a time, and return at once.
package final class FrameCounterPlugin: MediaPlugin {
    package static let descriptor = PluginDescriptor(
        id: "org.example.frame-counter", name: "FrameCounter", version: "0.1.0", license: "MIT",
        summary: "Counts the buffers that pass a pad.", requires: [.commands, .events, .tap],
        configSchema: """
            {"type":"object","required":["pad"],"properties":{
            "pad":{"type":"string","format":"pad","description":"the pad to count at"},
            "every":{"type":"integer","minimum":1,"default":100,"description":"buffers between two events"}}}
            """)

    private let host: Host
    private let pad: String
    private let counter: BufferCounter

    /// The host has checked the config against the schema and filled in the defaults.
    package init(host: Host, config: PluginValue) throws(PluginError) {
        guard let pad = config.string("pad") else { throw PluginError("pad is missing", code: .invalid) }
        self.host = host
        self.pad = pad
        counter = BufferCounter(every: Int(clamping: config.int("every") ?? 100)) { host.requestMain() }
    }

    /// The host puts the tap back after every rebuild of the pipeline.
    package func activate() throws(PluginError) { try host.attachTap(pad, counter) }

    package var commands: [Command] {
        [
            Command(
                "count", summary: "How many buffers have passed.",
                result: #"{"type":"object","properties":{"buffers":{"type":"integer"}}}"#
            ) { [counter] _, reply in reply.succeed(["buffers": .count(counter.buffers)]) }
        ]
    }

    /// The answer to `requestMain`. Several requests may have become one call.
    package func onMain() {
        let buffers = counter.buffers
        do throws(PluginError) {
            try host.post("reached", ["buffers": .count(buffers)])
        } catch {
            host.log(.warning, error.message)
        }
    }
}
