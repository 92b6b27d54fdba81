import CGStreamer
import GStreamerKit
import HostTestKit
import Testing

@Suite(.enabled(if: mh_thread_slice() != 0, "the scheduler knows no slices: Linux 6.12 or later does"))
struct SoundThreadTests {
    /// SCHED_BATCH, which Glibc's module leaves out.
    private static let batch: Int32 = 3

    init() throws { try GStreamer.start() }

    /// The slice of the thread that brings each buffer to the sink `s`, in nanoseconds.
    private func slices(_ launch: String, before: (Pipeline) throws -> Void = { _ in }) throws -> [UInt64] {
        let seen = Recorder<UInt64>()
        let pipeline = try Pipeline(launch: launch, name: "sound")
        pipeline.bus.count(StreamThreads())
        let pad = try #require(pipeline.element(named: "s")?.pad(named: "sink"))
        try before(pipeline)
        let probes = [
            SoundThread.follow(pad),
            pad.addProbe { _ in
                seen.record(mh_thread_slice())
                return .pass
            },
        ]
        pipeline.setState(.playing)
        while let message = pipeline.bus.next(timeout: .seconds(60)) {
            if case .endOfStream = message { break }
        }
        pipeline.setState(.null)
        for probe in probes { probe?.cancel() }
        return seen.elements
    }

    @Test func whoBringsSoundIsLetRunFirst() throws {
        #expect(try slices("audiotestsrc num-buffers=3 ! queue ! fakesink name=s") == [100_000, 100_000, 100_000])
    }

    /// A source's own, of which no caps come by.
    @Test func aSourceOfSoundIs() throws {
        let seen = Recorder<UInt64>()
        _ = try slices("audiotestsrc name=a num-buffers=2 ! queue ! fakesink name=s") { pipeline in
            _ = try #require(pipeline.element(named: "a")?.pad(named: "src")).addProbe { _ in
                seen.record(mh_thread_slice())
                return .pass
            }
        }
        #expect(seen.elements == [100_000, 100_000])
    }

    /// A thread that has brought sound goes back to GStreamer's pool, which gives it to the next.
    @Test func nobodyElseIs() throws {
        for _ in 0..<20 {
            _ = try slices("audiotestsrc num-buffers=1 ! queue ! fakesink name=s")
            let pictures = try slices("videotestsrc num-buffers=2 ! queue ! fakesink name=s")
            #expect(pictures.count == 2 && !pictures.contains(100_000))
        }
    }

    /// Who chose a policy knows why.
    @Test func anotherPolicyStays() throws {
        let policies = Recorder<Int32>()
        let slices = try slices("audiotestsrc num-buffers=2 ! queue name=q ! fakesink name=s") { pipeline in
            _ = try #require(pipeline.element(named: "q")?.pad(named: "src")).addProbe(events: true) { data in
                var none = sched_param(sched_priority: 0)
                switch consume data {
                case .event(.streamStart): sched_setscheduler(0, Self.batch, &none)
                case .event(.endOfStream):
                    policies.record(sched_getscheduler(0))
                    sched_setscheduler(0, SCHED_OTHER, &none)
                default: break
                }
                return .pass
            }
        }
        #expect(slices == [0, 0])
        #expect(policies.elements == [Self.batch])
    }
}
