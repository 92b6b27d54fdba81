import CGLib
import HostTestKit
import Testing

@testable import HostCore

@Suite struct SocketPollTests {
    init() { MainLoopThread.start() }

    /// The files that the loop polls in its next turn, as they are now.
    @HostActor private static func isPolled(_ file: Int32) -> Bool {
        var files = [GPollFD](repeating: GPollFD(), count: 4096)
        var timeout: gint = 0
        let count = g_main_context_query(g_main_context_default(), .max, &timeout, &files, gint(files.count))
        return files.prefix(Int(count)).contains { $0.fd == file }
    }

    @HostActor private static func comes(_ condition: @HostActor () -> Bool) async -> Bool {
        let until = ContinuousClock.now + .seconds(60)
        while !condition(), ContinuousClock.now < until { await Task.yield() }
        return condition()
    }

    /// The end of the other side is told by each poll: one that nobody waits for would keep the loop awake.
    @Test @HostActor func aSocketIsPolledExactlyWhileSomebodyWaits() async throws {
        var ends: [Int32] = [-1, -1]
        // It is polled as a socket is.
        try #require(pipe(&ends) == 0)
        let (own, other) = (ends[0], ends[1])
        defer { close(own) }
        let poll = try #require(SocketPoll(own))
        #expect(!Self.isPolled(own))

        poll.state.pointee.waiting = 2
        #expect(await Self.comes { Self.isPolled(own) })
        #expect(!poll.state.pointee.isReadable)
        #expect(write(other, "x", 1) == 1)
        #expect(await Self.comes { poll.state.pointee.isReadable })

        poll.state.pointee.waiting = 0
        close(other)
        #expect(await Self.comes { !Self.isPolled(own) })
        #expect(!poll.state.pointee.isReadable)

        poll.state.pointee.waiting = 1
        #expect(await Self.comes { poll.state.pointee.isReadable })
        poll.cancel()
        #expect(!Self.isPolled(own))
        poll.cancel()
    }
}
