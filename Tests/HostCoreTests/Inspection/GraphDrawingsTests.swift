import Glibc
import HostTestKit
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(10))) struct GraphDrawingsTests {
    private let place: TemporaryDirectory

    init() throws {
        MainLoopThread.start()
        place = try TemporaryDirectory()
    }

    /// A child writes it: what other tests start meanwhile inherits no descriptor for writing then, with which the kernel refuses
    /// to run it ("Text file busy").
    private func drawer(_ script: String) throws -> String {
        let path = place.path("drawer")
        let writer = try #require(popen("cat >'\(path)' && chmod 755 '\(path)'", "we"))
        fputs("#!/bin/sh\n\(script)\n", writer)
        try #require(pclose(writer) == 0)
        return path
    }

    @Test @HostActor func aDrawingComesAndItsPlaceIsFree() async throws {
        let drawings = GraphDrawings(program: try drawer("cat"))
        let clock = VirtualClock()
        let text = try await drawings.svg(of: "digraph {}", from: .local, workers: WorkerPool(), clock: clock)
        #expect(text == "digraph {}" && drawings.underWay == 0 && clock.pendingCount == 0)
    }

    @Test @HostActor func whatIsDrawnForTooLongIsKilled() async throws {
        let drawings = GraphDrawings(program: try drawer("exec sleep 600"))
        let clock = VirtualClock()
        let outcome = Task { @HostActor in
            try await drawings.svg(of: "digraph {}", from: .local, workers: WorkerPool(), clock: clock)
        }
        try await wait(while: drawings.underWay == 0)
        clock.advance(by: GraphDrawings.deadline)
        let error = await #expect(throws: ControlError.self) { try await outcome.value }
        #expect(error?.code == .busy && error?.message.contains("within 10s") == true, "\(String(describing: error))")
        #expect(drawings.underWay == 0)
    }

    @Test @HostActor func fewAreDrawnAtATime() async throws {
        let drawings = GraphDrawings(program: try drawer("exec sleep 600"))
        let clock = VirtualClock()
        async let one = try? drawings.svg(of: "", from: .local, workers: WorkerPool(), clock: clock)
        async let two = try? drawings.svg(of: "", from: .local, workers: WorkerPool(), clock: clock)
        try await wait(while: drawings.underWay < GraphDrawings.most)
        let error = await #expect(throws: ControlError.self) {
            try await drawings.svg(of: "", from: .local, workers: WorkerPool(), clock: clock)
        }
        #expect(error?.code == .busy)
        clock.advance(by: GraphDrawings.deadline)
        #expect(await one == nil)
        #expect(await two == nil)
    }

    /// Two clients of the network had both places.
    @Test @HostActor func theNetworkLeavesAPlaceToTheSocket() async throws {
        let drawings = GraphDrawings(program: try drawer("exec sleep 600"))
        let clock = VirtualClock()
        async let one = try? drawings.svg(of: "", from: .network, workers: WorkerPool(), clock: clock)
        try await wait(while: drawings.underWay < 1)
        let error = await #expect(throws: ControlError.self) {
            try await drawings.svg(of: "", from: .web, workers: WorkerPool(), clock: clock)
        }
        #expect(error?.code == .busy)
        async let two = try? drawings.svg(of: "", from: .local, workers: WorkerPool(), clock: clock)
        try await wait(while: drawings.underWay < 2)
        clock.advance(by: GraphDrawings.deadline)
        #expect(await one == nil)
        #expect(await two == nil)
    }

    @Test @HostActor func withoutGraphvizItIsSaidWhatToInstall() async {
        let drawings = GraphDrawings(program: "/nowhere/dot")
        let error = await #expect(throws: ControlError.self) {
            try await drawings.svg(of: "", from: .local, workers: WorkerPool(), clock: VirtualClock())
        }
        #expect(error?.code == .state && error?.message.contains("apt install graphviz") == true)
    }
}
