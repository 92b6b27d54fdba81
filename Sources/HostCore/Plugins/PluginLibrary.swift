internal import Glibc
internal import PluginABI

/// A plugin's shared library: checked before any of its code runs, then mapped for the life of the process.
///
/// Unloading a Swift library ends in a crash at the next cast (FACTS), so it is opened with NODELETE and never closed.
@HostActor
final class PluginLibrary {
    let path: String
    private let entry: UnsafePointer<mh_entry_1>
    private let factory: UnsafePointer<mh_factory_1>
    let descriptors: [PluginDescriptor]

    /// Opens, checks and initialises a library.
    init(path: String) throws(PluginFailure) {
        self.path = path
        try ELFHeader.check(path)
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw PluginFailure("cannot load \(path): \(Self.loaderError())")
        }
        guard let symbol = dlsym(handle, "mh_plugin_entry_1") else {
            throw PluginFailure(
                "\(path) is no mediahost plugin: it does not export mh_plugin_entry_1",
                help: "export it with MH_EXPORT (mediahost/plugin.h)")
        }
        typealias Entry = @convention(c) () -> UnsafePointer<mh_entry_1>?
        guard let entry = unsafeBitCast(symbol, to: Entry.self)() else {
            throw PluginFailure("\(path): mh_plugin_entry_1 returned NULL")
        }
        self.entry = entry
        factory = try Self.open(entry, path)
        descriptors = try Self.readDescriptors(factory, path)
    }

    /// Maps a library without calling it, so that `init` finds it in memory: the slow part of a load. What is wrong with it
    /// `init` says.
    /// - Thread: worker.
    nonisolated static func preload(_ path: String) {
        guard (try? ELFHeader.check(path)) != nil else { return }
        _ = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)
    }

    /// A new instance of the library's plugin; the caller owns it until its `destroy`.
    func create(_ id: String, host: UnsafePointer<mh_host_1>) throws(PluginFailure) -> UnsafePointer<mh_plugin_1> {
        guard let create = factory.pointee.create, let plugin = id.withABI({ create(host, $0) }) else {
            throw PluginFailure("\(path): the factory made no instance of \(id)")
        }
        let functions = plugin.pointee
        guard functions.`init` != nil, functions.activate != nil, functions.deactivate != nil, functions.destroy != nil,
            functions.on_main != nil
        else { throw PluginFailure("\(path): an instance of \(id) lacks required functions (mediahost/plugin.h)") }
        return plugin
    }

    private static func open(
        _ entry: UnsafePointer<mh_entry_1>, _ path: String
    ) throws(PluginFailure) -> UnsafePointer<mh_factory_1> {
        guard entry.pointee.magic == MH_ENTRY_MAGIC else {
            throw PluginFailure("\(path): the entry's magic is wrong; it was built with other headers")
        }
        guard entry.pointee.abi_major == HostInterface.abiMajor else {
            let builtWith = entry.pointee.built_with.map { String(cString: $0) } ?? "unknown tools"
            throw PluginFailure(
                "\(path) was built for plugin ABI \(entry.pointee.abi_major).\(entry.pointee.abi_minor) (\(builtWith)); this "
                    + "host has \(HostInterface.abiMajor).\(HostInterface.abiMinor)",
                help: "build it again with this host's headers")
        }
        let status = path.withABI { entry.pointee.`init`?($0) ?? mh_status(MH_OK) }
        guard status == mh_status(MH_OK) else { throw PluginFailure("\(path): its init failed (status \(status))") }
        let factory = MH_FACTORY_PLUGIN.withABI { entry.pointee.get_factory?($0) }
        guard let factory = factory ?? nil else {
            throw PluginFailure(
                "\(path) has no factory \(MH_FACTORY_PLUGIN)", help: "build it again with this host's headers")
        }
        return factory.assumingMemoryBound(to: mh_factory_1.self)
    }

    private static func readDescriptors(
        _ factory: UnsafePointer<mh_factory_1>, _ path: String
    ) throws(PluginFailure) -> [PluginDescriptor] {
        let count = factory.pointee.count?() ?? 0
        guard count > 0 else { throw PluginFailure("\(path): the factory has no plugin") }
        var found: [PluginDescriptor] = []
        for index in 0..<min(count, 64) {
            guard let raw = factory.pointee.descriptor?(index) else { continue }
            guard let descriptor = PluginDescriptor(raw) else {
                throw PluginFailure("\(path): descriptor \(index) lacks id, name, version or summary")
            }
            let missing = descriptor.requires.filter { !HostInterface.ids.contains($0) }
            guard missing.isEmpty else {
                throw PluginFailure(
                    "\(path): \(descriptor.id) needs \(missing.joined(separator: ", ")), which this host does not have",
                    help: "use a newer mediahost, or an older version of the plugin")
            }
            found.append(descriptor)
        }
        return found
    }

    private static func loaderError() -> String {
        guard let text = dlerror() else { return "unknown error" }
        return String(cString: text)
    }
}
