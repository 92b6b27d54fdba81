import CGStreamer
import Glibc
import GStreamerKit
import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// mh.fd as a plugin sees it, with real pipes on the test's main loop.
@Suite(.timeLimit(.minutes(10))) struct PluginFileTests {
    init() { MainLoopThread.start() }

    private static let readable = mh_fd_events(MH_FD_READABLE)
    private static let writable = mh_fd_events(MH_FD_WRITABLE)
    private static let hungUp = mh_fd_events(MH_FD_HUNG_UP)

    @HostActor
    private struct Files {
        let it: ScriptedPlugin
        private var table: mh_fd_host_1? { it.table(MH_EXT_FD, as: mh_fd_host_1.self)?.pointee }

        init(_ it: ScriptedPlugin) { self.it = it }

        func watch(_ file: Int32, _ interest: mh_fd_events) -> mh_status { table?.watch?(it.host, file, interest) ?? 1 }
        func modify(_ file: Int32, _ interest: mh_fd_events) -> mh_status {
            table?.modify?(it.host, file, interest) ?? 1
        }
        func unwatch(_ file: Int32) -> mh_status { table?.unwatch?(it.host, file) ?? 1 }
    }

    /// Both ends of a socket pair, closed with it.
    private final class Pair {
        private(set) var ends: [Int32] = [-1, -1]

        init() throws {
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw POSIXFailure() }
        }

        struct POSIXFailure: Error {}

        func send(_ byte: UInt8 = 7) { withUnsafePointer(to: byte) { _ = write(ends[1], $0, 1) } }

        func take() -> UInt8? {
            var byte: UInt8 = 0
            return recv(ends[0], &byte, 1, Int32(MSG_DONTWAIT)) == 1 ? byte : nil
        }

        func close(_ end: Int) {
            guard ends[end] >= 0 else { return }
            _ = Glibc.close(ends[end])
            ends[end] = -1
        }

        deinit {
            close(0)
            close(1)
        }
    }

    /// Waits until something holds; a test that never sees it runs into its time limit.
    @HostActor
    private func until(_ isMet: () -> Bool) async { while !isMet() { await idle() } }

    @Test @HostActor func tellsWhatIsReadyUntilItIsRead() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pair = try Pair()
        var told: [mh_fd_events] = []
        it.onFile = { file, events in
            #expect(file == pair.ends[0])
            told.append(events)
            if told.count >= 3 { #expect(pair.take() == 7) }
        }
        let instance = try it.make()
        try instance.activate()
        #expect(files.watch(pair.ends[0], Self.readable) == 0)
        pair.send()
        await until { told.count == 3 }
        pair.send()
        await until { told.count == 4 }
        #expect(told.allSatisfy { $0 == Self.readable })
        await it.end(instance)
    }

    /// A thread's word is about the watch that there was when it was given.
    @Test @HostActor func aLateUnwatchDoesNotEndTheNextWatch() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pair = try Pair()
        let instance = try it.make()
        try instance.activate()
        let file = pair.ends[0]
        #expect(files.watch(file, Self.readable) == 0)
        let watch = instance.context.watch(of: file)
        #expect(instance.context.offer(.unwatchFile(file, watch), "fd.unwatch"))
        #expect(files.unwatch(file) == 0)
        #expect(files.watch(file, Self.readable) == 0)
        await it.turns(2)
        #expect(files.unwatch(file) == 0, "it is watched still")
        await it.end(instance)
    }

    @Test @HostActor func interestCanChange() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pair = try Pair()
        var told: [mh_fd_events] = []
        it.onFile = { file, events in
            told.append(events)
            #expect(files.modify(file, 0) == 0)
        }
        let instance = try it.make()
        try instance.activate()
        #expect(files.watch(pair.ends[0], Self.writable | Self.readable) == 0)
        await until { told == [Self.writable] }
        pair.send()
        await idle()
        #expect(told.count == 1)
        #expect(files.modify(pair.ends[0], Self.readable) == 0)
        await until { told == [Self.writable, Self.readable] }
        await it.end(instance)
    }

    @Test @HostActor func aHangUpIsToldWithoutBeingAskedFor() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pair = try Pair()
        var told: mh_fd_events = 0
        it.onFile = { file, events in
            told |= events
            #expect(files.unwatch(file) == 0)
        }
        let instance = try it.make()
        try instance.activate()
        #expect(files.watch(pair.ends[0], 0) == 0)
        pair.close(1)
        await until { told != 0 }
        #expect(told & Self.hungUp != 0)
        await it.end(instance)
    }

    @Test @HostActor func whatCannotBeWatchedIsRefused() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pair = try Pair()
        let instance = try it.make()
        #expect(files.watch(pair.ends[0], Self.readable) == mh_status(MH_E_STATE))
        try instance.activate()
        #expect(files.watch(-1, Self.readable) == mh_status(MH_E_INVALID))
        #expect(files.watch(1_000_000, Self.readable) == mh_status(MH_E_INVALID))
        #expect(files.watch(pair.ends[0], 16) == mh_status(MH_E_INVALID))
        let directory = open("/", O_RDONLY)
        let regular = open("/proc/self/exe", O_RDONLY)
        #expect(files.watch(directory, Self.readable) == mh_status(MH_E_UNSUPPORTED))
        #expect(files.watch(regular, Self.readable) == mh_status(MH_E_UNSUPPORTED))
        close(directory)
        close(regular)
        #expect(files.modify(pair.ends[0], Self.readable) == mh_status(MH_E_NOT_FOUND))
        #expect(files.unwatch(pair.ends[0]) == mh_status(MH_E_NOT_FOUND))
        #expect(files.watch(pair.ends[0], Self.readable) == 0)
        #expect(files.watch(pair.ends[0], Self.readable) == mh_status(MH_E_BUSY))
        #expect(files.modify(pair.ends[0], 32) == mh_status(MH_E_INVALID))
        await it.end(instance)
        #expect(files.watch(pair.ends[0], Self.readable) == mh_status(MH_E_STATE))
        let mute = ScriptedPlugin()
        mute.lacks = [MH_EXT_FD]
        let other = try mute.make()
        try other.activate()
        #expect(Files(mute).watch(pair.ends[0], Self.readable) == mh_status(MH_E_UNSUPPORTED))
        await mute.end(other)
    }

    @Test @HostActor func tooManyAreRefusedAndNamedOnce() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pairs = try (0..<33).map { _ in try Pair() }
        let instance = try it.make()
        try instance.activate()
        let answers = pairs.flatMap(\.ends).map { files.watch($0, 0) }
        #expect(answers == Array(repeating: 0, count: 64) + Array(repeating: mh_status(MH_E_LIMIT), count: 2))
        #expect(it.lines("wants more than 64 file descriptors") == 1)
        #expect(instance.counters["refused_files"] == 2)
        await it.end(instance)
    }

    /// One that is ready and never read: the control thread does its other work, and is not kept busy with this for ever.
    @Test @HostActor func oneThatIsNeverReadStarvesNobody() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pair = try Pair()
        var told = 0
        it.onFile = { _, _ in told += 1 }
        let instance = try it.make()
        try instance.activate()
        #expect(files.watch(pair.ends[0], Self.readable) == 0)
        pair.send()
        await until { it.lines("is ready more than 1000 times in a second") == 1 }
        #expect(told == 2000)
        #expect(instance.counters["busy_files"] == 1)
        // No virtual time passes, so it rests; when some has passed it is told as often as that allows.
        await idle()
        #expect(told == 2000)
        it.clock.advance(by: .milliseconds(10))
        await until { instance.counters["busy_files"] == 2 }
        #expect(told == 2010)
        // Read at last: the end of a rest is the end of it.
        #expect(pair.take() == 7)
        it.clock.advance(by: .milliseconds(10))
        await idle()
        #expect(told == 2010)
        await it.end(instance)
        #expect(it.clock.pendingCount == 0)
        #expect(it.lines("is ready more than") == 1)
    }

    @Test @HostActor func oneThatIsClosedIsNamedAndLeft() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        // A number that nobody else gets meanwhile: tests run beside each other.
        let pair = try Pair()
        let far: Int32 = 900
        try #require(dup2(pair.ends[0], far) == far)
        let instance = try it.make()
        try instance.activate()
        #expect(files.watch(far, Self.readable) == 0)
        close(far)
        await until { it.lines("was closed while it was watched") == 1 }
        #expect(files.unwatch(far) == mh_status(MH_E_NOT_FOUND))
        await it.end(instance)
    }

    @Test @HostActor func allEndWithTheInstanceAndStayOpen() async throws {
        let it = ScriptedPlugin()
        let files = Files(it)
        let pair = try Pair()
        var told = 0
        it.onFile = { _, _ in told += 1 }
        it.onActivate = { files.watch(pair.ends[0], Self.readable) }
        let instance = try it.make()
        try instance.activate()
        await it.end(instance)
        pair.send()
        await idle()
        #expect(told == 0)
        #expect(pair.take() == 7)
    }
}
