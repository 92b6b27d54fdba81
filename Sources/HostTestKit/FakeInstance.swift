public import HostCore
public import PluginABI

/// One instance of a plugin, held by its raw C tables as a host holds it. The test calls in the order it wants.
///
/// Thread: whichever the test takes for main.
public struct FakeInstance: Sendable {
    /// The plugin's tables lack something the ABI requires.
    public struct Broken: Error, CustomStringConvertible {
        public var description: String
    }

    public let fake: FakeHost
    // The ABI's promise: valid until `destroy`.
    public nonisolated(unsafe) let plugin: UnsafePointer<mh_plugin_1>
    /// JSON Schema of its config; `nil` takes no keys.
    public let configSchema: String?

    /// Makes the plugin `id` of a library.
    public init(_ id: String, of entry: UnsafePointer<mh_entry_1>?, in fake: FakeHost = FakeHost()) throws(Broken) {
        self.fake = fake
        guard let factory = fake.lend(MH_FACTORY_PLUGIN, { entry?.pointee.get_factory?($0) }) else {
            throw Broken(description: "the library has no plugin factory")
        }
        let functions = factory.assumingMemoryBound(to: mh_factory_1.self).pointee
        let descriptors = (0..<(functions.count?() ?? 0)).lazy.compactMap { functions.descriptor?($0) }
        configSchema = descriptors.first { String(cString: $0.pointee.id) == id }
            .flatMap { $0.pointee.config_schema.map { String(cString: $0) } }
        guard let made = fake.lend(id, { functions.create?(fake.host, $0) }) else {
            throw Broken(description: "the library makes no \(id)")
        }
        plugin = made
    }

    /// - Parameter config: as it crosses: durations in nanoseconds, sizes in bytes, no defaults. `running` takes it as
    ///   users write it.
    public func start(_ config: Value = [:]) -> mh_status {
        fake.lend(config) { plugin.pointee.`init`?(plugin, $0) } ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
    }

    public func activate() -> mh_status {
        fake.timers.open()
        fake.files.open()
        fake.notifying.begin()
        let status = plugin.pointee.activate?(plugin) ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
        if status != 0 {
            endCalls()
            fake.notifying.end()
        }
        return status
    }

    public func deactivate() {
        endCalls()
        plugin.pointee.deactivate?(plugin)
        fake.notifying.end()
    }

    /// What the host does before `deactivate`.
    private func endCalls() {
        fake.timers.endAll()
        fake.files.endAll()
    }

    public func callMain() { plugin.pointee.on_main?(plugin) }

    /// Work that was submitted is run before, as the host waits for it.
    public func destroy() {
        fake.runWork()
        plugin.pointee.destroy?(plugin)
    }

    /// A plugin extension's table.
    public func table<Table>(_ id: String, as type: Table.Type) throws(Broken) -> UnsafePointer<Table> {
        guard let table = fake.lend(id, { plugin.pointee.get_extension?(plugin, $0) }) else {
            throw Broken(description: "the plugin offers no \(id)")
        }
        return table.assumingMemoryBound(to: type)
    }

    /// Starts a command; the answer is in `fake.seen`.
    public func call(_ name: String, token: mh_token, _ parameters: Value = [:]) throws(Broken) {
        let commands = try table(MH_EXT_COMMANDS, as: mh_commands_plugin_1.self)
        fake.lend(parameters) { value in fake.lend(name) { commands.pointee.invoke?(plugin, token, $0, value) } }
    }

    /// Tells a lifecycle change; with a token, an acknowledgement is awaited until 5000 ns.
    public func tell(_ change: mh_lifecycle_change, token: mh_token, state: UInt64 = 0) throws(Broken) {
        let lifecycle = try table(MH_EXT_LIFECYCLE, as: mh_lifecycle_plugin_1.self)
        lifecycle.pointee.on_state?(plugin, token, state, change, token == 0 ? .min : 5_000)
    }
}
