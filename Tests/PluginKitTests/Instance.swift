import HostCore
import HostTestKit
import PluginKit
import Testing

/// An instance held by its raw C table, as a host holds it.
struct Instance {
    let fake: FakeHost
    let plugin: UnsafePointer<mh_plugin_1>

    init(_ fake: FakeHost = FakeHost()) throws {
        self.fake = fake
        let entry = try #require(PluginEntry.entry(for: Probe.self))
        let raw = try #require(fake.lend(MH_FACTORY_PLUGIN) { entry.pointee.get_factory($0) })
        let factory = raw.assumingMemoryBound(to: mh_factory_1.self)
        plugin = try #require(fake.lend(Probe.descriptor.id) { factory.pointee.create(fake.host, $0) })
    }

    func start(_ config: Value = [:]) -> mh_status { fake.lend(config) { plugin.pointee.`init`(plugin, $0) } }
    func activate() -> mh_status { plugin.pointee.activate(plugin) }
    func deactivate() { plugin.pointee.deactivate(plugin) }
    func destroy() { plugin.pointee.destroy(plugin) }

    func table<Table>(_ id: String, as type: Table.Type) throws -> UnsafePointer<Table> {
        try #require(fake.lend(id) { plugin.pointee.get_extension(plugin, $0) }).assumingMemoryBound(to: type)
    }

    func call(_ name: String, token: mh_token, _ parameters: Value = [:]) throws {
        let commands = try table(MH_EXT_COMMANDS, as: mh_commands_plugin_1.self)
        fake.lend(parameters) { value in fake.lend(name) { commands.pointee.invoke(plugin, token, $0, value) } }
    }

    func tell(_ change: Int, token: mh_token, state: UInt64 = 0) throws {
        let lifecycle = try table(MH_EXT_LIFECYCLE, as: mh_lifecycle_plugin_1.self)
        lifecycle.pointee.on_state(plugin, token, state, mh_lifecycle_change(change), token == 0 ? .min : 5_000)
    }
}
