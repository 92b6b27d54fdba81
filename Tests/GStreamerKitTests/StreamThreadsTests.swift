import GStreamerKit
import Glibc
import Testing

@Suite struct StreamThreadsTests {
    init() throws { try GStreamer.start() }

    /// What this thread has had of the processor.
    private static var ownTime: ClockTime {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return ClockTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private func end(of pipeline: Pipeline) -> Bool {
        while let message = pipeline.bus.next(timeout: .seconds(60)) {
            if case .endOfStream = message { return true }
            if case .error = message { return false }
        }
        return false
    }

    @Test func whatThreadsTookStaysWhenTheyHaveLeft() throws {
        let pipeline = try Pipeline(
            launch: "videotestsrc num-buffers=50 ! video/x-raw,width=640,height=480 ! queue ! videoconvert ! "
                + "video/x-raw,format=RGB ! fakesink", name: "busy")
        let threads = StreamThreads()
        pipeline.bus.count(threads)
        #expect(threads.time == .zero)
        pipeline.setState(.playing)
        #expect(end(of: pipeline))
        let playing = threads.time
        #expect(playing > .milliseconds(1))
        pipeline.setState(.null)
        let after = threads.time
        #expect(after >= playing)
        #expect(threads.time == after)
    }

    /// Nobody else's time is counted: this thread's least of all.
    @Test func aPipelineThatDoesNothingTakesNothing() throws {
        let pipeline = try Pipeline(launch: "fakesrc num-buffers=0 ! fakesink", name: "idle")
        let threads = StreamThreads()
        pipeline.bus.count(threads)
        pipeline.setState(.playing)
        #expect(end(of: pipeline))
        let before = Self.ownTime
        var sum = 0
        for number in 0..<20_000_000 { sum &+= number }
        let own = Self.ownTime - before
        pipeline.setState(.null)
        #expect(sum != 1 && threads.time < own)
    }
}
