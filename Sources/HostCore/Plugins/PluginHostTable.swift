internal import PluginABI
import Locking

/// The `mh_host_1` of one instance. It lives as long as the process: a thread that a plugin has left behind may call the
/// host when the instance is gone, and must find somebody who says no. That is a few hundred bytes for each.
// Constant after init.
final class PluginHostTable: @unchecked Sendable {
    let pointer: UnsafePointer<mh_host_1>
    private let memory: UnsafeMutablePointer<mh_host_1>
    private let instance: UnsafeMutableBufferPointer<CChar>
    private let context: PluginContext

    // Written once, never freed, read by whoever has the table.
    private static nonisolated(unsafe) let hostName = immortalText("mediahost")
    // Likewise written once and never freed.
    private static nonisolated(unsafe) let hostVersion = immortalText(HostVersion.text)

    init(_ context: PluginContext) {
        self.context = context
        let name = context.instance.utf8CString
        instance = .allocate(capacity: name.count)
        _ = instance.initialize(from: name)
        memory = .allocate(capacity: 1)
        memory.initialize(
            to: mh_host_1(
                host_data: Unmanaged.passUnretained(context).toOpaque(), name: Self.hostName, version: Self.hostVersion,
                instance: instance.baseAddress, abi_major: HostInterface.abiMajor, abi_minor: HostInterface.abiMinor,
                reserved: 0,
                get_extension: { _, id in HostInterface.table(String(id)) },
                fail: { host, status, text in PluginContext.of(host)?.fail(status, String(text)) },
                request_main: { PluginContext.of($0)?.requestMain() }))
        pointer = UnsafePointer(memory)
        Self.all.withLock { $0.append(self) }
    }

    /// Lock order: a leaf.
    private static let all = Locked<[PluginHostTable]>([])

    private static func immortalText(_ text: String) -> UnsafePointer<CChar> {
        let characters = text.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
        _ = copy.initialize(from: characters)
        return UnsafePointer(copy.baseAddress ?? UnsafeMutablePointer<CChar>.allocate(capacity: 1))
    }
}
