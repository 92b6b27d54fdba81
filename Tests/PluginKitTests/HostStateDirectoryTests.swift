import HostTestKit
import PluginABI
import Testing

@testable import PluginKit

/// `Host.stateDirectory` over the raw table of a fake host.
@Suite struct HostStateDirectoryTests {
    @Test func thePathIsTheHosts() throws {
        let fake = FakeHost()
        let host = Host(fake.host, pluginID: "org.example.probe")
        #expect(throws: PluginError("the host gives no directory to keep things in (status -5)", code: .unsupported)) {
            try host.stateDirectory()
        }
        fake.setStateDirectory("/var/lib/mediahost/plugins/porch")
        #expect(try host.stateDirectory() == "/var/lib/mediahost/plugins/porch")
        host.close()
        #expect(throws: PluginError.self) { try host.stateDirectory() }
    }

    @Test func aHostWithoutItIsNamed() throws {
        let fake = FakeHost(missing: [MH_EXT_STATE_DIRECTORY])
        let host = Host(fake.host, pluginID: "org.example.probe")
        #expect(throws: PluginError.self) { try host.stateDirectory() }
    }
}
