import HostTestKit
import PluginKit
import Testing

/// Retained buffers, a plugin without settings, and commands of every form.
@Suite struct KeeperTests {
    @Test func keptBuffersStayAndAreGivenBack() throws {
        let keeper = try FakeInstance.running(Keeper.descriptor.id, of: PluginEntry.entry(for: Keeper.self))
        #expect(keeper.configSchema == nil)
        let tap = try keeper.tap("cam/encoded.src")
        for count in 0..<4 { tap.push([UInt8](repeating: 1, count: count), pts: Int64(count)) }
        #expect(FakeHost.retainedBuffers == 4)
        #expect(try keeper.ask("first", ["count": "3"]) == ["sizes": [0, 1, 2]])
        #expect(try keeper.ask("drop", ["count": 2]) == [:])
        #expect(try keeper.ask("first") == ["sizes": [2]])
        #expect(FakeHost.retainedBuffers == 2)
        let failure = #expect(throws: FakeInstance.Broken.self) { try keeper.ask("drop", ["count": 3]) }
        #expect(failure?.description == "cannot drop 3: there are fewer")
        #expect(try keeper.ask("clear") == [:])
        #expect(FakeHost.retainedBuffers == 0)
        keeper.end()
    }

    @Test func withoutSettingsNoKeyIsTaken() {
        let failure = #expect(throws: FakeInstance.Broken.self) {
            try FakeInstance.running(
                Keeper.descriptor.id, of: PluginEntry.entry(for: Keeper.self), config: ["x": 1])
        }
        #expect(failure?.description == #"unknown key "x" (there are no keys here)"#)
    }
}
