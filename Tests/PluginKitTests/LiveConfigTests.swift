import HostTestKit
import PluginABI
import PluginKit
import Testing

extension WasherTests {
    /// Another config for a Swift plugin that runs.
    @Suite struct LiveConfigTests {
        private func run() throws -> (FakeInstance, Washer) {
            let instance = try FakeInstance.running(Washer.descriptor.id, of: PluginEntry.entry(for: Washer.self))
            let washer = try #require(Washer.last.withLock { $0.washer })
            washer.seen.withLock { $0 = [] }
            return (instance, washer)
        }

        @Test func itIsAskedThenTold() throws {
            let (instance, washer) = try run()
            #expect(try instance.apply(["cycle": "90s"]) == .applied)
            #expect(try instance.apply([:]) == .applied)
            #expect(
                washer.seen.withLock { $0 } == [
                    "would take 90.0 seconds", "takes 90.0 seconds", "would take 60.0 seconds", "takes 60.0 seconds",
                ])
            instance.end()
        }

        @Test func whatIsWrongHasItsKey() throws {
            let (instance, washer) = try run()
            let schema = #expect(throws: FakeInstance.Broken.self) { try instance.apply(["cycle": "1ms"]) }
            #expect(schema?.description == #""cycle" must be at least 1s, not 1ms"#)
            let plugin = #expect(throws: FakeInstance.Broken.self) { try instance.apply(["detergent": "sand"]) }
            #expect(plugin?.description == "detergent: sand is no detergent")
            let late = #expect(throws: FakeInstance.Broken.self) { try instance.apply(["detergent": "late"]) }
            #expect(late?.description == "too late for that")
            #expect(
                instance.fake.seen.refusals == [
                    FakeRefusal(key: "detergent", text: "sand is no detergent"),
                    FakeRefusal(key: "", text: "too late for that"),
                ])
            #expect(washer.seen.withLock { $0 } == ["would take 60.0 seconds"])
            instance.end()
        }

        @Test func someConfigsAreForANewInstance() throws {
            let (instance, _) = try run()
            #expect(try instance.apply(["detergent": "other machine"]) == .needsNewInstance)
            #expect(instance.fake.seen.refusals.isEmpty)
            instance.end()
        }

        @Test func onlyWhoCanOffersIt() throws {
            let keeper = try FakeInstance.running(Keeper.descriptor.id, of: PluginEntry.entry(for: Keeper.self))
            #expect(try keeper.apply([:]) == .needsNewInstance)
            #expect(throws: FakeInstance.Broken.self) {
                try keeper.table(MH_EXT_CONFIG, as: mh_config_plugin_1.self)
            }
            keeper.end()
        }
    }
}
