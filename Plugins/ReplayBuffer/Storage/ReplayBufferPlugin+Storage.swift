internal import Glibc
import PluginKit

extension ReplayBufferPlugin {
    /// The store in its place, with what a former process left there.
    /// - Thread: main, in `init`.
    static func makeStore(_ settings: ReplaySettings, _ host: Host) throws(PluginError) -> ReplayStore {
        if settings.storage != .memfd { RingMemfd.forget(host) }
        let opened: OpenedRing
        switch settings.storage {
        case .memory: return try makeStoreInMemory(settings, host)
        case .memfd: opened = try RingMemfd.open(host, request(settings, settings.memory, "memory"))
        case .disk:
            let directory: String
            do throws(PluginError) {
                directory = try host.stateDirectory()
            } catch {
                guard error.code == .unsupported else { throw error }
                throw PluginError(
                    "storage: disk needs a state directory: set HOME, XDG_STATE_HOME or, in a unit, StateDirectory=",
                    code: .unsupported, key: "storage")
            }
            opened = try RingDisk.open(in: directory, request(settings, settings.size, "size"))
        }
        for remark in opened.remarks { host.log(.warning, remark) }
        let store = ReplayStore(
            opened, window: settings.window.wholeNanoseconds, clocks: { host.wallTimes }, notify: { host.requestMain() }
        )
        let status = store.status
        if status.frames > 0 {
            host.log(
                .notice,
                "goes on with \(status.frames) frames of a former run, \(Spelled.seconds(status.newest - status.oldest))"
            )
        }
        return store
    }

    private static func makeStoreInMemory(_ settings: ReplaySettings, _ host: Host) throws(PluginError) -> ReplayStore {
        guard let slab = ByteSlab(capacity: settings.slabBytes) else {
            throw PluginError(
                "cannot reserve \(settings.memory) for the buffer; give memory a smaller size", code: .limit)
        }
        return ReplayStore(
            slab: slab, frameCapacity: settings.frameCapacity, window: settings.window.wholeNanoseconds,
            tracks: 1 + settings.audio.count, clocks: { host.wallTimes }, notify: { host.requestMain() })
    }

    private static func request(_ settings: ReplaySettings, _ size: ByteSize, _ key: String) -> RingRequest {
        RingRequest(
            total: size.bytes, wantedFrames: settings.wantedFrames, window: settings.window.wholeNanoseconds,
            pads: [settings.video.text] + settings.audio.map(\.text), boot: boot, key: key)
    }

    /// A text that is another one after each start of the machine; empty where the kernel says none.
    private static var boot: String {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).filter { $0 > 32 }, as: UTF8.self)
    }

    /// Markers outlive the process where the ring does. - Thread: main.
    func keepMarkers() { store.keep(main.withLock { $0.markers }) }
}
