internal import Glibc
internal import PluginABI

/// A library that is mapped, initialised and asked for its plugins: what the host does, and before it the probe's child.
struct OpenedLibrary {
    let entry: UnsafePointer<mh_entry_1>
    /// Something that lies in the library for sure: the entry's table may lie anywhere.
    let symbol: UnsafeRawPointer
    let factory: UnsafePointer<mh_factory_1>
    let facts: LibraryFacts

    private static let mostPlugins: UInt32 = 64

    /// - Parameter begin: called before each step.
    /// - Thread: main; the library's `init` belongs there.
    static func open(
        _ path: String, begin: (ProbePhase) throws(PluginFailure) -> Void = { _ in }
    ) throws(PluginFailure) -> OpenedLibrary {
        try begin(.load)
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw LoaderMessage.explain(dlerror().map { String(cString: $0) } ?? "unknown error", of: path)
        }
        guard let symbol = dlsym(handle, LibraryFile.entrySymbol) else {
            throw PluginFailure(
                "\(path) is no mediahost plugin: it does not export \(LibraryFile.entrySymbol)",
                help: "export it with MH_EXPORT (mediahost/plugin.h)")
        }
        typealias Entry = @convention(c) () -> UnsafePointer<mh_entry_1>?
        try begin(.entry)
        guard let entry = unsafeBitCast(symbol, to: Entry.self)() else {
            throw PluginFailure("\(path): \(LibraryFile.entrySymbol) returned NULL", help: Self.mistake)
        }
        let (initialise, getFactory) = try check(entry, path)
        try begin(.initialise)
        let status = path.withABI { initialise($0) }
        guard status == mh_status(MH_OK) else {
            throw PluginFailure(
                "\(path): its init failed (status \(status))", help: "the plugin's own lines, if any, say why")
        }
        try begin(.factory)
        guard let factory = MH_FACTORY_PLUGIN.withABI({ getFactory($0) }) else {
            throw PluginFailure("\(path) has no factory \(MH_FACTORY_PLUGIN)", help: Self.rebuild)
        }
        let table = factory.assumingMemoryBound(to: mh_factory_1.self)
        try begin(.descriptors)
        let builtWith = entry.pointee.built_with.map { String(decoding: bytes($0), as: UTF8.self) } ?? "unknown tools"
        let facts = LibraryFacts(
            abi: "\(entry.pointee.abi_major).\(entry.pointee.abi_minor)", builtWith: builtWith,
            descriptors: try readDescriptors(table, path))
        return OpenedLibrary(entry: entry, symbol: UnsafeRawPointer(symbol), factory: table, facts: facts)
    }

    private static let mistake = "this is the plugin's mistake, not yours"
    private static let rebuild = "build it again with this host's headers"

    private static func bytes(_ text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text, count: strnlen(text, 100))
    }

    private typealias Initialise = @convention(c) (mh_str_1) -> mh_status
    private typealias GetFactory = @convention(c) (mh_str_1) -> UnsafeRawPointer?

    private static func check(
        _ entry: UnsafePointer<mh_entry_1>, _ path: String
    ) throws(PluginFailure) -> (Initialise, GetFactory) {
        guard entry.pointee.magic == MH_ENTRY_MAGIC else {
            throw PluginFailure(
                "\(path): the entry's magic is 0x\(String(entry.pointee.magic, radix: 16)), not "
                    + "0x\(String(MH_ENTRY_MAGIC, radix: 16)); it was built with other headers",
                help: rebuild)
        }
        let (theirs, ours) = (entry.pointee.abi_major, HostInterface.abiMajor)
        guard theirs == ours else {
            let builtWith = entry.pointee.built_with.map { String(decoding: bytes($0), as: UTF8.self) }
            throw PluginFailure(
                "\(path) was built for plugin ABI \(theirs).\(entry.pointee.abi_minor) (\(builtWith ?? "unknown tools")); "
                    + "this host has \(ours).\(HostInterface.abiMinor)",
                help: rebuild + (theirs > ours ? ", or install a newer mediahost" : ""))
        }
        guard let initialise = entry.pointee.`init`, let getFactory = entry.pointee.get_factory else {
            let missing = entry.pointee.`init` == nil ? "init" : "get_factory"
            throw PluginFailure("\(path): the entry's \(missing) is NULL", help: mistake)
        }
        return (initialise, getFactory)
    }

    private static func readDescriptors(
        _ factory: UnsafePointer<mh_factory_1>, _ path: String
    ) throws(PluginFailure) -> [PluginDescriptor] {
        guard let count = factory.pointee.count, let get = factory.pointee.descriptor, factory.pointee.create != nil
        else { throw PluginFailure("\(path): the factory lacks count, descriptor or create", help: mistake) }
        let number = count()
        guard 1...mostPlugins ~= number else {
            throw PluginFailure(
                "\(path): the factory says that it has \(number) plugins, not 1 to \(mostPlugins)", help: mistake)
        }
        var found: [PluginDescriptor] = []
        for index in 0..<number {
            guard let raw = get(index) else {
                throw PluginFailure("\(path): descriptor \(index) of \(number) is NULL", help: mistake)
            }
            let descriptor: PluginDescriptor
            do throws(PluginFailure) {
                descriptor = try PluginDescriptor(raw)
            } catch {
                throw PluginFailure("\(path): descriptor \(index) is not usable: \(error.message)", help: mistake)
            }
            try checkRequirements(of: descriptor, path)
            found.append(descriptor)
        }
        return found
    }

    private static func checkRequirements(of descriptor: PluginDescriptor, _ path: String) throws(PluginFailure) {
        let missing = descriptor.requires.filter { !HostInterface.ids.contains($0) }
        guard missing.isEmpty else {
            throw PluginFailure(
                "\(path): \(descriptor.id) needs \(missing.joined(separator: ", ")), which this host does not have "
                    + "(it has \(HostInterface.ids.joined(separator: ", ")))",
                help: "use a newer mediahost, or an older version of the plugin")
        }
    }
}
