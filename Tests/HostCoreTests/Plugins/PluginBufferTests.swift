import CGStreamer
import HostTestKit
import PluginABI
import Synchronization
import Testing

@testable import GStreamerKit
@testable import HostCore

/// Buffers on their way to a plugin: kept once, and missed aloud.
@Suite(.timeLimit(.minutes(10))) struct PluginBufferTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private func withBuffer(_ body: (UnsafeMutablePointer<GstBuffer>) throws -> Void) throws {
        let buffer = try #require(gst_buffer_new_allocate(nil, 16, nil))
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)) }
        try body(buffer)
    }

    @Test func whatIsRetainedIsNotRetainedAgain() throws {
        try withBuffer { buffer in
            var view = mh_buffer_1()
            view.size = 16
            view.host_data = UnsafeMutableRawPointer(buffer)
            let table = HostInterface.tap.pointee
            let kept = try #require(table.retain(&view))
            #expect(kept.pointee.size == 16 && kept.pointee.data != nil)
            #expect(table.retain(kept) == nil)
            // What was lent is nobody's to release.
            table.release(&view)
            table.release(kept)
            let count = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self).pointee.refcount
            #expect(count == 1)
        }
    }

    @Test @HostActor func aBufferThatCannotBeReadIsCountedAndSaidOnce() async throws {
        let counters = PluginCounters()
        let told = Recorder<String>()
        let table = UnsafeMutablePointer<mh_tap_client_1>.allocate(capacity: 1)
        defer { table.deallocate() }
        table.initialize(
            to: mh_tap_client_1(
                context: nil, epoch: { _, _ in }, format: { _, _, _ in }, buffer: { _, _ in }, gap: { _, _, _ in },
                eos: { _ in }, detached: { _ in }))
        let client = PluginTapClient(
            table, counters: counters, onUnreadable: { told.record("unreadable") }, onMissed: {},
            onRefused: { _ in }, onDetached: { $0() })
        // GStreamer's own memory can always be read, so this begins where mapping has failed.
        for _ in 0..<3 { client.countUnreadable() }
        await withCheckedContinuation { continuation in HostActor.enqueue { continuation.resume() } }
        #expect(told.elements == ["unreadable"])
        #expect(counters.value["unreadable_buffers"] == 3)
    }
}
