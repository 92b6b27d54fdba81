@_exported public import PluginABI

/// What a plugin library exports.
///
/// Every library carries its own copy of the kit, so what is remembered here belongs to one library.
public enum PluginEntry {
    private static let registry = PluginRegistry()

    /// The library's entry, offering these classes. The same pointer every time; it lives as long as the process.
    /// - Thread: main.
    public static func entry(for plugins: any MediaPlugin.Type...) -> UnsafePointer<mh_entry_1>? {
        for plugin in plugins { registry.add(plugin) }
        return UnsafePointer(entry)
    }

    // Immortal and constant once made; C reads it on the control thread.
    private nonisolated(unsafe) static let entry: UnsafeMutablePointer<mh_entry_1> = {
        let memory = UnsafeMutablePointer<mh_entry_1>.allocate(capacity: 1)
        memory.initialize(
            to: mh_entry_1(
                magic: MH_ENTRY_MAGIC, abi_major: UInt16(MH_ABI_MAJOR), abi_minor: UInt16(MH_ABI_MINOR),
                built_with: strings.add(compiler),
                init: { _ in statusOK },
                deinit: {},
                get_factory: { id in
                    String(id) == MH_FACTORY_PLUGIN ? UnsafeRawPointer(PluginEntry.factory) : nil
                }))
        return memory
    }()

    // Written once by its initialiser, never freed, only read after.
    private nonisolated(unsafe) static let factory: UnsafeMutablePointer<mh_factory_1> = {
        let memory = UnsafeMutablePointer<mh_factory_1>.allocate(capacity: 1)
        memory.initialize(
            to: mh_factory_1(
                count: { UInt32(clamping: registry.count) },
                descriptor: { registry.descriptor(at: Int($0)) },
                create: { host, id in
                    guard let host, let plugin = registry.plugin(String(id)) else { return nil }
                    return PluginInstance.create(plugin, host: host)
                }))
        return memory
    }()

    // Immortal; used while `entry` is made.
    private nonisolated(unsafe) static let strings = CStrings()

    private static var compiler: String {
        #if compiler(>=6.4)
            "swift 6.4 or later"
        #elseif compiler(>=6.3)
            "swift 6.3"
        #else
            "swift 6.2"
        #endif
    }
}
