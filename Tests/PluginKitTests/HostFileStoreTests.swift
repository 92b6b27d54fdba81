import Glibc
import HostTestKit
import PluginABI
import Testing

@testable import PluginKit

/// `Host.keepFile` and its sisters over the raw table of a fake host.
@Suite struct HostFileStoreTests {
    @Test func aFileIsKeptForTheNextHost() throws {
        let store = FakeFileStore()
        let fake = FakeHost()
        let host = Host(fake.host, pluginID: "org.example.probe")
        #expect(throws: PluginError("the host does not keep ring (status -5)", code: .unsupported)) {
            try host.keepFile("ring", 0)
        }
        fake.setFileStore(store)
        #expect(try host.takeFile("ring") == nil)
        try host.dropFile("ring")
        try host.keepFile("ring", 0)
        #expect(throws: PluginError("the host does not keep ring (status -2)", code: .invalid)) {
            try host.keepFile("ring", -1)
        }
        let next = FakeHost()
        next.setFileStore(store)
        let after = Host(next.host, pluginID: "org.example.probe")
        let file = try #require(try after.takeFile("ring"))
        #expect(file > 2 && store.names == ["ring"])
        close(file)
        try after.dropFile("ring")
        #expect(store.names == [])
        host.close()
        #expect(throws: PluginError.self) { try host.takeFile("ring") }
    }

    @Test func aHostWithoutItIsNamed() throws {
        let fake = FakeHost(missing: [MH_EXT_FD_STORE])
        let host = Host(fake.host, pluginID: "org.example.probe")
        #expect(throws: PluginError.self) { try host.keepFile("ring", 0) }
    }
}
