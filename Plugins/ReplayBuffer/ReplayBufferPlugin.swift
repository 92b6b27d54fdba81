package import PluginKit

/// Keeps the last seconds of an encoded stream in memory and saves them as a clip when asked.
///
/// Over a pause nothing is wiped: media time goes on where it stopped, so a clip across a pause steps one frame there.
package final class ReplayBufferPlugin: MediaPlugin {
    package static let descriptor = PluginDescriptor(
        id: "org.mediahost.replay-buffer", name: "Replay buffer", vendor: "mediahost", version: "0.1.0",
        license: "MIT", summary: "Keeps the last seconds of an encoded stream and saves them as a clip when asked.",
        requires: [.commands, .tap, .worker])

    private let host: Host
    private let settings: ReplaySettings
    private let store: ReplayStore
    private let makeWriter: ClipWriterFactory

    package convenience init(host: Host, settings: ReplaySettings) throws(PluginError) {
        try self.init(host: host, settings: settings) { (descriptor, container, caps) throws(PluginError) in
            try PipelineClipWriter(descriptor: descriptor, container: container, caps: caps)
        }
    }

    /// - Parameter makeWriter: tests bring their own.
    init(host: Host, settings: ReplaySettings, makeWriter: @escaping ClipWriterFactory) throws(PluginError) {
        self.host = host
        self.settings = settings
        self.makeWriter = makeWriter
        guard let slab = ByteSlab(capacity: settings.slabBytes) else {
            throw PluginError(
                "cannot reserve \(settings.memory) for the buffer; give memory a smaller size", code: .limit)
        }
        store = ReplayStore(
            slab: slab, frameCapacity: settings.frameCapacity, window: settings.window.wholeNanoseconds
        ) { host.requestMain() }
    }

    package func activate() throws(PluginError) { try host.attachTap(settings.video, store) }

    /// Told by the streaming thread that something was lost for the first time.
    package func onMain() {
        for loss in store.takeLosses() {
            switch loss {
            case .oversized:
                host.log(
                    .warning,
                    "the time between two key frames of \(settings.video) needs more than memory=\(settings.memory), "
                        + "so nothing of it is kept; give more memory, or the encoder a shorter key-int")
            case .held:
                host.log(
                    .warning,
                    "new frames of \(settings.video) were lost while a clip was written from a full buffer; "
                        + "give more memory or save to a faster disk (counted by status)")
            }
        }
    }

    package var commands: [Command] {
        [
            Command("save", summary: "Saves the last seconds as a clip.", run: save),
            Command("status", summary: "Says what is kept now.", run: report),
        ]
    }

    /// Up to `PinSet.limit` saves run at a time, each with the range it found when it was asked for.
    /// - Thread: main.
    private func save(_ request: SaveRequest, _ reply: CommandReply<SavedClip>) {
        do throws(PluginError) {
            let path = request.to.text
            guard !path.isEmpty else { throw PluginError("save needs to=PATH", code: .invalid) }
            let container = try Container(path: path)
            let (choice, caps) = store.pin(last: request.last?.wholeNanoseconds)
            switch choice {
            case .empty: throw nothingToSave(path)
            case .busy:
                throw PluginError(
                    "cannot save \(path): \(PinSet.limit) saves are running; try again when one is done", code: .busy)
            case .clip(let clip):
                let job = SaveJob(
                    store: store, clip: clip, caps: caps, path: path, container: container,
                    overwrite: request.overwrite, makeWriter: makeWriter)
                do throws(PluginError) {
                    try host.submit { job.run(reply) }
                } catch {
                    store.unpin(clip)
                    throw error
                }
            }
        } catch {
            reply.reject(error)
        }
    }

    private func nothingToSave(_ path: String) -> PluginError {
        let drops = store.status.drops
        let why =
            if drops.oversizedGOPs > 0 {
                "the time between two key frames needs more than memory=\(settings.memory)"
            } else if drops.withoutKey > 0 {
                "no key frame has come from \(settings.video) yet"
            } else {
                "nothing has come from \(settings.video) yet"
            }
        return PluginError("cannot save \(path): the buffer is empty; \(why)", code: .state)
    }

    private func report() -> BufferReport {
        let status = store.status
        return BufferReport(
            frames: status.frames, gops: status.gops, bytes: .bytes(status.bytes), capacity: .bytes(store.capacity),
            window: settings.window, oldest: status.oldest, newest: status.newest,
            duration: .nanoseconds(status.newest - status.oldest), saves: store.saves, dropped: status.drops)
    }
}
