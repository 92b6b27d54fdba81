internal import Glibc
internal import PluginABI

/// A plugin's shared library: let in by the gate, then mapped for the life of the process.
///
/// Unloading a Swift library ends in a crash at the next cast (FACTS), so it is opened with NODELETE and never closed.
@HostActor
final class PluginLibrary {
    let path: String
    private let library: OpenedLibrary
    /// The instances that were made of it, for a crash to name: who they are, not how many are left.
    private var names: [String] = []

    var descriptors: [PluginDescriptor] { library.facts.descriptors }

    /// Opens and initialises a library that was checked before (`PluginGate`).
    init(path: String) throws(PluginFailure) {
        self.path = path
        library = try OpenedLibrary.open(path)
    }

    /// Maps a library without calling it, so that `init` finds it in memory: the slow part of a load. What is wrong with it
    /// `init` says.
    /// - Thread: worker.
    nonisolated static func preload(_ path: String) {
        _ = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)
    }

    /// A new instance of the library's plugin; the caller owns it until its `destroy`.
    func create(
        _ id: String, named name: String, host: UnsafePointer<mh_host_1>
    ) throws(PluginFailure) -> UnsafePointer<mh_plugin_1> {
        if !names.contains(name) { names.append(name) }
        CrashReport.note(library.symbol, plugins: names)
        guard let create = library.factory.pointee.create, let plugin = id.withABI({ create(host, $0) }) else {
            throw PluginFailure("\(path): the factory made no instance of \(id)")
        }
        let functions = plugin.pointee
        guard functions.`init` != nil, functions.activate != nil, functions.deactivate != nil, functions.destroy != nil,
            functions.on_main != nil
        else { throw PluginFailure("\(path): an instance of \(id) lacks required functions (mediahost/plugin.h)") }
        return plugin
    }
}
