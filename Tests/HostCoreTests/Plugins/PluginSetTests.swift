import Dispatch
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// The time that plugins have to let go, on a virtual clock.
@Suite(.timeLimit(.minutes(10))) struct PluginSetTests {
    init() { MainLoopThread.start() }

    private static let named = "these plugins did not let go in time: first"

    @HostActor
    private struct House {
        let clock = VirtualClock()
        let log = Recorder<String>()
        let workers = WorkerPool()
        let first = ScriptedPlugin("first")
        let last = ScriptedPlugin("last")
        let plugins: PluginSet

        init() {
            let log = Log(upTo: .debug) { [log] _, _, text in log.record(text) }
            plugins = PluginSet(
                gate: PluginGate(unprobed: PluginSearch(directories: []), log: log), clock: clock, workers: workers,
                log: log)
        }

        /// Both, of which the first has work that lasts until the semaphore says so.
        func begin() throws -> (instances: [PluginInstance], stuck: DispatchSemaphore) {
            let instances = [try first.make(), try last.make()]
            for instance in instances { try instance.activate() }
            let stuck = DispatchSemaphore(value: 0)
            #expect(instances[0].context.submit { stuck.wait() })
            return (instances, stuck)
        }
    }

    /// It began before the last one's deactivate, which joined threads for so long that the first had none of its own.
    @Test @HostActor func beginsWhenAllWereToldToEnd() async throws {
        let house = House()
        let (instances, stuck) = try house.begin()
        house.last.onDeactivate = { house.clock.advance(by: PluginSet.endDeadline + .milliseconds(100)) }
        var isDone = false
        house.plugins.retire(instances) { isDone = true }
        house.clock.advance(by: PluginSet.endDeadline - .milliseconds(1))
        #expect(!isDone && house.log.elements.isEmpty)
        house.clock.advance(by: .milliseconds(1))
        #expect(isDone && house.log.elements == [Self.named])
        stuck.signal()
        try await wait(while: house.plugins.isLeaving("first"))
    }

    /// SIGSTOP, a virtual machine that is moved: the work of the plugin had stood still as long.
    @Test @HostActor func beginsAnewWhereTheHostStoodStill() async throws {
        let house = House()
        let (instances, stuck) = try house.begin()
        var isDone = false
        house.plugins.retire(instances) { isDone = true }
        house.clock.stall(for: .seconds(3))
        #expect(!isDone && house.log.elements.isEmpty)
        house.clock.advance(by: PluginSet.endDeadline)
        #expect(isDone && house.log.elements == [Self.named])
        stuck.signal()
        try await wait(while: house.plugins.isLeaving("first"))
    }

    /// No timer is left of an end that nothing held up.
    @Test @HostActor func isNotMeasuredWhereAllLetGoAtOnce() async throws {
        let house = House()
        let (instances, stuck) = try house.begin()
        var isDone = false
        house.plugins.retire([instances[1]]) { isDone = true }
        #expect(isDone && house.clock.pendingCount == 0)
        stuck.signal()
        house.plugins.retire([instances[0]]) {}
        try await wait(while: house.plugins.isLeaving("first"))
        #expect(house.clock.pendingCount == 0 && house.log.elements.isEmpty)
    }
}
