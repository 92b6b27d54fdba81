import HostTestKit
import Locking
import PluginKit
import Testing

/// What a plugin in Swift sees of the builds of pipelines. The pointers are only compared.
@Suite struct PipelineAccessTests {
    final class Watcher: PipelineAccess {
        static let descriptor = PluginDescriptor(
            id: "org.example.watcher", name: "Watcher", version: "1.0.0", summary: "Watches builds.", requires: [.gst])
        private let host: Host

        init(host: Host, settings: NoFields) throws(PluginError) { self.host = host }

        func built(_ name: PipelineName, _ pipeline: UnsafeMutableRawPointer) {
            do throws(PluginError) {
                let source = try host.element("camera/source")
                host.log(.notice, "built \(name) \(UInt(bitPattern: pipeline)) \(UInt(bitPattern: source))")
            } catch {
                host.log(.warning, error.message)
            }
        }

        func released(_ name: PipelineName, _ pipeline: UnsafeMutableRawPointer) {
            host.log(.notice, "released \(name) \(UInt(bitPattern: pipeline))")
        }
    }

    @Test func buildsAndElementsCross() throws {
        let watcher = try FakeInstance.running(Watcher.descriptor.id, of: PluginEntry.entry(for: Watcher.self))
        let pipeline = try #require(UnsafeMutableRawPointer(bitPattern: 0x1000))
        try watcher.tellBuilt("camera", pipeline)
        watcher.fake.setElement("camera/source", UnsafeMutableRawPointer(bitPattern: 0x2000))
        try watcher.tellBuilt("camera", pipeline)
        try watcher.tellReleased("camera", pipeline)
        #expect(
            watcher.fake.seen.log == [
                "there is no element camera/source now (status -4)", "built camera 4096 8192", "released camera 4096",
            ])
        watcher.end()
    }

    @Test func whoDoesNotAskIsNotTold() throws {
        let keeper = try FakeInstance.running(Keeper.descriptor.id, of: PluginEntry.entry(for: Keeper.self))
        let pipeline = try #require(UnsafeMutableRawPointer(bitPattern: 0x1000))
        let failure = #expect(throws: FakeInstance.Broken.self) { try keeper.tellBuilt("camera", pipeline) }
        #expect(failure?.description == "the plugin offers no mh.gst.draft/1")
        keeper.end()
    }
}
