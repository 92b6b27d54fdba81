import CGStreamer
import GStreamerKit
import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// mh.gst as a plugin sees it: each build once, and its end.
@Suite(.timeLimit(.minutes(10))) struct PluginPipelineTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    @Test @HostActor func everyBuildIsShownOnceAndEnds() async throws {
        let it = ScriptedPlugin()
        var told: [String] = []
        let first = try Pipeline(launch: "fakesrc name=s ! fakesink", name: "first")
        let second = try Pipeline(launch: "fakesrc ! fakesink", name: "second")
        it.onBuilt = { name, element in
            #expect(element == [first, second].first { $0.name == name }?.element.raw)
            told.append("built \(name)")
        }
        it.onReleased = { name, element in
            #expect(element == [first, second].first { $0.name == name }?.element.raw)
            told.append("released \(name)")
        }
        it.onDeactivate = { told.append("deactivate") }
        it.onActivate = {
            told.append("activate")
            return 0
        }
        it.builds = [("first", first)]
        let instance = try it.make()
        instance.built("second", second)  // not active yet
        try instance.activate()
        instance.built("first", first)  // known
        instance.built("second", second)
        instance.released("first", first)
        instance.released("first", first)
        await it.end(instance)
        instance.released("second", second)
        #expect(
            told == ["activate", "built first", "built second", "released first", "released second", "deactivate"])
    }

    @Test @HostActor func elementsAreFoundByTheirPath() async throws {
        let it = ScriptedPlugin()
        let pipeline = try Pipeline(launch: "fakesrc name=s ! fakesink", name: "it")
        it.builds = [("it", pipeline)]
        let table = try #require(it.table(MH_EXT_GST, as: mh_gst_host_1.self))
        func find(_ path: String) -> (status: Int, element: UnsafeMutableRawPointer?) {
            var found: UnsafeMutableRawPointer? = pipeline.element.raw
            let status = path.withABI { table.pointee.element?(it.host, $0, &found) ?? 1 }
            return (Int(status), found)
        }
        let instance = try it.make()
        #expect(find("it/s") == (MH_E_STATE, nil))
        try instance.activate()
        let found = find("it/s")
        #expect(found == (MH_OK, pipeline.element(named: "s")?.raw))
        // The reference is the caller's.
        found.element.map { gst_object_unref($0) }
        #expect(find("it/t") == (MH_E_NOT_FOUND, nil))
        #expect(find("other/s") == (MH_E_NOT_FOUND, nil))
        #expect(find("its") == (MH_E_INVALID, nil))
        #expect(find("") == (MH_E_INVALID, nil))
        await it.end(instance)
        #expect(find("it/s") == (MH_E_STATE, nil))
    }
}
