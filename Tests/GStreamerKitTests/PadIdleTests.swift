import Dispatch
import Synchronization
import Testing

@testable import GStreamerKit

/// A pad says when nothing is on its way out of it.
@Suite(.timeLimit(.minutes(5))) struct PadIdleTests {
    private final class Story: Sendable {
        let arrivals = Atomic(0)
        let answers = Atomic(0)
        let isInside = DispatchSemaphore(value: 0)
        let mayLeave = DispatchSemaphore(value: 0)
        let firstIsAsked = DispatchSemaphore(value: 0)
        let firstMayAnswer = DispatchSemaphore(value: 0)
        /// The second is asked once more, or nobody asks any longer.
        let isOver = DispatchSemaphore(value: 0)
    }

    init() throws { try GStreamer.start() }

    /// A probe is asked by whoever adds it to a pad that is idle; and at the same time by the thread that has just left the pad, while
    /// that asks the probes before.
    @Test func isToldOnceWhereTwoThreadsTellIt() throws {
        let pipeline = try Pipeline(launch: "fakesrc num-buffers=2 ! identity name=i ! fakesink name=s", name: "idle")
        defer { pipeline.setState(.null) }
        let pad = try #require(pipeline.element(named: "i")?.pad(named: "src"))
        let story = Story()
        // The next one comes when the thread has asked all.
        _ = pipeline.element(named: "i")?.pad(named: "sink")?.addProbe { data in
            guard case .buffer = consume data else { return .pass }
            if story.arrivals.add(1, ordering: .relaxed).newValue == 2 { story.isOver.signal() }
            return .pass
        }
        _ = pipeline.element(named: "s")?.pad(named: "sink")?.addProbe { data in
            guard case .buffer = consume data, story.arrivals.load(ordering: .relaxed) == 1 else { return .pass }
            story.isInside.signal()
            story.mayLeave.wait()
            return .pass
        }
        pipeline.setState(.playing)
        story.isInside.wait()
        pad.whenIdle {
            story.firstIsAsked.signal()
            story.firstMayAnswer.wait()
        }
        story.mayLeave.signal()
        story.firstIsAsked.wait()
        pad.whenIdle {
            guard story.answers.add(1, ordering: .relaxed).newValue == 1 else {
                story.isOver.signal()
                return
            }
            story.firstMayAnswer.signal()
            story.isOver.wait()
        }
        #expect(story.answers.load(ordering: .relaxed) == 1)
    }
}
