import Glibc
import GStreamerKit
import HostTestKit
import Synchronization
import Testing

@testable import HostCore

@Suite struct MonitorTests {
    init() { MainLoopThread.start() }

    @Test func aTurnIsReportedOnceWhenItsLimitIsOver() {
        var detector = HangDetector(limit: 5)
        #expect(detector.check(busySince: 0, now: 100) == .sleep)
        #expect(detector.check(busySince: 100, now: 102) == .wait(3))
        #expect(detector.check(busySince: 103, now: 105) == .wait(3))
        #expect(detector.check(busySince: 103, now: 108) == .report(after: 5))
        #expect(detector.check(busySince: 103, now: 109) == .wait(5))
        #expect(detector.check(busySince: 0, now: 120) == .recovered(after: 17))
        #expect(detector.check(busySince: 0, now: 120) == .sleep)
        #expect(detector.check(busySince: 121, now: 126) == .report(after: 5))
        #expect(detector.check(busySince: 130, now: 130) == .recovered(after: 9))
    }

    /// A thread that hangs in a read, as a plugin would.
    private final class Hanging: Sendable {
        let thread: pthread_t
        private let release: Int32

        init() {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            release = ends[1]
            var made = pthread_t()
            pthread_create(
                &made, nil,
                { context in
                    // The test library's threads block signals, and a thread inherits that.
                    var none = sigset_t()
                    sigemptyset(&none)
                    pthread_sigmask(SIG_SETMASK, &none, nil)
                    var byte: UInt8 = 0
                    let file = Int32(Int(bitPattern: context))
                    _ = read(file, &byte, 1)
                    close(file)
                    return nil
                }, UnsafeMutableRawPointer(bitPattern: Int(ends[0])))
            thread = made
        }

        func end() {
            close(release)
            pthread_join(thread, nil)
        }
    }

    @Test func hangIsLoggedWithPlaceAndStackAndSoIsItsEnd() async {
        let activity = MainActivity()
        let hanging = Hanging()
        let (entries, feed) = AsyncStream<LogEntry>.makeStream()
        let log = Log { feed.yield($0) }
        let monitor = MonitorThread(activity: activity, limit: .seconds(3600), log: log, watching: hanging.thread)
        monitor.run()
        // It began longer ago than the limit: no waiting.
        activity.begin(MainActivity.now() - ClockTime.seconds(7200).nanoseconds)
        var iterator = entries.makeAsyncIterator()
        let report = await iterator.next()
        #expect(report?.code == "main-hung")
        #expect(report?.text.contains("the control role hangs for 7200.") == true, "\(report?.text ?? "")")
        #expect(report?.text.contains("the host's own code") == true)
        #expect(report?.text.contains("libc.so.6(") == true, "\(report?.text ?? "")")
        activity.end()
        activity.ring()
        let recovery = await iterator.next()
        #expect(recovery?.code == "main-recovered")
        monitor.stop()
        hanging.end()
    }

    @Test @HostActor func nestedCallsNameTheInnermost() {
        let activity = MainActivity()
        let seen = activity.during(.of("plugin a", "on_main")) {
            let outer = activity.present
            let inner = activity.during(.of("plugin b", "invoke")) { activity.present }
            return [outer, inner, activity.present].map { $0?.description }
        }
        #expect(seen == ["plugin a in on_main", "plugin b in invoke", "plugin a in on_main"])
        #expect(activity.present == nil)
        #expect(MainActivity.Note.of("plugin a", "on_main") === MainActivity.Note.of("plugin a", "on_main"))
    }
}
