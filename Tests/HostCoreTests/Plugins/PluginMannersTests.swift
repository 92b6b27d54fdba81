import Foundation
import GStreamerKit
import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// What the host does about a plugin that asks too much, answers too late, or not at all.
@Suite(.timeLimit(.minutes(10))) struct PluginMannersTests {
    init() { MainLoopThread.start() }

    private static let state = mh_status(MH_E_STATE)
    private static let limit = mh_status(MH_E_LIMIT)

    /// Runs on a worker.
    private static nonisolated let work: @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in }

    // MARK: - Events

    /// One that posts an event for each event it gets kept the control thread for ever.
    @Test @HostActor func anEventLoopEndsAtTheDepthThatCauseAndEffectMayHave() async throws {
        let it = ScriptedPlugin()
        var told = 0
        var depths: [UInt32] = []
        var answers: [mh_status] = []
        it.onEvent = { _ in
            told += 1
            answers.append(it.post("again"))
        }
        let unsubscribe = it.events.subscribe { depths.append($0.depth) }
        let instance = try it.make()
        try instance.activate()
        #expect(it.post("again") == 0)
        await it.turns(20)
        #expect(depths == Array(0...EventHub.deepest))
        #expect(told == depths.count)
        #expect(answers.last == Self.limit && answers.dropLast().allSatisfy { $0 == 0 })
        // Another chain: counted, not said again.
        #expect(it.post("again") == 0)
        await it.turns(20)
        #expect(it.lines("a loop") == 1)
        #expect(instance.counters["deep_events"] == 2)
        unsubscribe()
        await it.end(instance)
    }

    @Test @HostActor func aFloodOfEventsIsCutOffAndNamedOnce() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        var seen = 0
        let unsubscribe = it.events.subscribe { _ in seen += 1 }
        let posted = (0..<1500).map { _ in it.post("much") }
        #expect(posted.filter { $0 == 0 }.count == 256)
        #expect(posted.filter { $0 == Self.limit }.count == 1244)
        await it.turns(3)
        it.clock.advance(by: .milliseconds(100))
        #expect((0..<300).filter { _ in it.post("much") == 0 }.count == 200)
        await it.turns(3)
        #expect(seen == 456)
        #expect(it.lines("more than 2000 events in a second") == 1)
        #expect(instance.counters["frequent_events"] == 1344)
        unsubscribe()
        await it.end(instance)
    }

    /// A thread that calls without end must not fill the memory, nor come before everybody else.
    @Test @HostActor func whatAThreadAsksForFasterThanTheHostFollowsIsRefused() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        let timers = try #require(it.table(MH_EXT_TIMER, as: mh_timer_host_1.self))
        let statuses = Recorder<mh_status>()
        // The plugin's pointers, on a thread of its own, as the ABI allows.
        nonisolated(unsafe) let (host, table) = (it.host, timers)
        let thread = Thread { for _ in 0..<300 { statuses.record(table.pointee.cancel?(host, 99) ?? 1) } }
        thread.start()
        // The control thread is busy meanwhile.
        while !thread.isFinished { sched_yield() }
        #expect(statuses.elements.filter { $0 == 0 }.count == PluginContext.mostWaiting)
        #expect(statuses.elements.filter { $0 == Self.limit }.count == 300 - PluginContext.mostWaiting)
        #expect(it.lines("calls timer.cancel faster than the host follows") == 1)
        #expect(instance.counters["refused_requests"] == .int(Int64(300 - PluginContext.mostWaiting)))
        await it.turns(2)
        #expect(it.post("after") == 0)
        await it.end(instance)
    }

    /// It was thrown away with what was too much, and its plugin named as late; and anybody's token was taken for an answer.
    @Test @HostActor func anAcknowledgementHasItsRoomAndAnswersForItsOwnPluginAlone() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        let timers = try #require(it.table(MH_EXT_TIMER, as: mh_timer_host_1.self))
        var answers: [UInt64] = []
        it.onAcknowledge = { token, _ in answers.append(token) }
        instance.context.ask(7)
        // As on a thread of its own, while the control thread is busy.
        nonisolated(unsafe) let (host, table) = (it.host, timers)
        let thread = Thread { for _ in 0..<300 { _ = table.pointee.cancel?(host, 99) } }
        thread.start()
        while !thread.isFinished { sched_yield() }
        for token: mh_token in [8, 0, 7, 7] { it.acknowledge(token) }
        await it.turns(2)
        #expect(answers == [7])
        for token: mh_token in [8, 0, 7] { it.acknowledge(token) }
        await it.turns(2)
        // Nobody has 0.
        #expect(answers == [7, 0, 0, 0])
        await it.end(instance)
    }

    @Test @HostActor func aLargeTreeIsBuiltInPlace() {
        let builder = ValueBuilder()
        for round in 0..<2 {
            for number in 0..<50_000 { builder.put("key \(number)", .int(Int64(number + round))) }
        }
        builder.openList("list")
        for number in 0..<50_000 { builder.put("", .int(Int64(number))) }
        let value = builder.finish()
        #expect(value.members?.count == 50_001)
        #expect(value["key 49999"] == 50_000)
        #expect(value["list"]?.list?.count == 50_000)
    }

    // MARK: - States

    @Test @HostActor func duringInitAndAfterTheEndNothingIsTaken() async throws {
        let it = ScriptedPlugin()
        var answers: [mh_status] = []
        let work = it.table(MH_EXT_WORKER, as: mh_worker_ext_1.self)
        it.onInit = {
            answers.append(work?.pointee.submit?(it.host, Self.work, nil) ?? 1)
            answers.append(it.post("early"))
            return 0
        }
        let instance = try it.make()
        #expect(answers == [Self.state, Self.state])
        #expect(work?.pointee.submit?(it.host, Self.work, nil) == 0)
        try instance.activate()
        await it.end(instance)
        #expect(work?.pointee.submit?(it.host, Self.work, nil) == Self.state)
        #expect(it.post("late") == Self.state)
    }

    // MARK: - Commands

    @Test @HostActor func aCommandThatIsNeverAnsweredEndsAtItsDeadline() async throws {
        let it = ScriptedPlugin()
        var token: mh_token = 0
        var cancelled: [mh_token] = []
        it.onInvoke = { token = $0 }
        it.onCancel = { cancelled.append($0) }
        let instance = try it.make()
        try instance.activate()
        let answer = Task { @HostActor in await Self.outcome(of: instance) }
        try await wait(while: token == 0)
        // Progress is a sign of life.
        it.clock.advance(by: .seconds(100))
        let commands = it.table(MH_EXT_COMMANDS, as: mh_commands_host_1.self)
        "half".withABI { commands?.pointee.progress?(it.host, token, 0.5, $0) }
        await it.turns()
        it.clock.advance(by: .seconds(119))
        #expect(cancelled.isEmpty)
        it.clock.advance(by: .seconds(1))
        #expect(await answer.value == "plugin it did not answer within 2min (-8)")
        #expect(cancelled == [token])
        // What it was asked for all the same, then one too many.
        #expect(it.reply(token) == Self.state)
        #expect(instance.counters["unanswered_calls"] == 1 && instance.counters["ignored_answers"] == 0)
        #expect(it.reply(token) == Self.state)
        #expect(instance.counters["ignored_answers"] == 1)
        #expect(it.lines("answered twice, or what it was not asked") == 1)
        #expect(it.clock.pendingCount == 0)
        await it.end(instance)
    }

    @Test @HostActor func aReplyAfterTheEndIsHarmless() async throws {
        let it = ScriptedPlugin()
        var token: mh_token = 0
        it.onInvoke = { token = $0 }
        var instance: PluginInstance? = try it.make()
        try instance?.activate()
        let running = try #require(instance)
        let answer = Task { @HostActor in await Self.outcome(of: running) }
        try await wait(while: token == 0)
        await it.end(running)
        #expect(await answer.value == "plugin it is ending (-7)")
        instance = nil
        #expect(it.reply(token) == Self.state)
        #expect(it.clock.pendingCount == 0)
    }

    /// The call of a task gives way to others before it is made: it was made to a plugin that had been destroyed meanwhile.
    @Test @HostActor func aCallOnItsWayDoesNotReachAPluginThatHasEnded() async throws {
        for turns in 0..<12 {
            let it = ScriptedPlugin()
            let instance = try it.make()
            try instance.activate()
            var (isDestroyed, calls) = (false, 0)
            it.onDestroy = { isDestroyed = true }
            it.onInvoke = { token in
                if isDestroyed { calls += 1 }
                _ = it.reply(token)
            }
            let call = HostActor.task { _ = await Self.outcome(of: instance) }
            for _ in 0..<turns { await Task.yield() }
            instance.deactivate {}
            await it.turns(20)
            #expect(calls == 0, "after \(turns) turns")
            it.clock.advance(by: PluginCalls.deadline)
            await call.value
        }
    }

    @HostActor private static func outcome(of instance: PluginInstance) async -> String {
        do throws(PluginCallError) {
            return "\(try await instance.call("do", [:]))"
        } catch {
            return "\(error.message) (\(error.status))"
        }
    }

    // MARK: - Time

    @Test @HostActor func whoeverKeepsTheControlThreadIsNamedAndCounted() async throws {
        let it = ScriptedPlugin()
        it.onInit = {
            it.clock.advance(by: .milliseconds(900))
            return 0
        }
        it.onMain = { it.clock.advance(by: .milliseconds(70)) }
        it.onState = { _, _ in it.clock.advance(by: .milliseconds(50)) }
        let instance = try it.make()
        try instance.activate()
        instance.lifecycle(.willPause, state: .paused, token: nil, deadline: nil)
        #expect(instance.counters["late"] == .map([]))
        for _ in 0..<3 { instance.receive(.main) }
        #expect(it.lines("kept the control thread for") == 1)
        #expect(it.lines("kept the control thread for 70ms in on_main (at most 50ms)") == 1)
        #expect(instance.counters["late"]?["on_main"] == ["count": 3, "longest_ns": 70_000_000])
        it.clock.advance(by: CallBudget.quiet)
        instance.receive(.main)
        #expect(it.lines("; 2 more calls were late since the last line about it") == 1)
        await it.end(instance)
    }

    /// Where it hangs, the monitor reads this.
    @Test @HostActor func everyCallIsKnownToTheMonitor() async throws {
        let it = ScriptedPlugin()
        var seen: [String] = []
        let note = { seen.append(HostActor.activity.present.map { "\($0)" } ?? "nothing") }
        it.onInit = {
            note()
            return 0
        }
        it.onActivate = {
            note()
            return 0
        }
        it.onMain = note
        it.onEvent = { _ in note() }
        it.onState = { _, _ in note() }
        it.onInvoke = { token in
            note()
            _ = it.reply(token)
        }
        it.onDestroy = note
        let instance = try it.make()
        try instance.activate()
        instance.receive(.main)
        _ = it.post("x")
        await it.turns(2)
        instance.lifecycle(.willPause, state: .paused, token: nil, deadline: nil)
        _ = await Self.outcome(of: instance)
        await it.end(instance)
        let functions = ["init", "activate", "on_main", "on_event", "on_state", "invoke", "destroy"]
        #expect(seen == functions.map { "plugin it in \($0)" })
    }

    // MARK: - Acknowledgements

    @Test func acknowledgementsThatNeedTooLongInAllAreRefused() throws {
        let wish = AcknowledgementBudget.Wish.init(name:nanoseconds:)
        #expect(AcknowledgementBudget.refusal([]) == nil)
        #expect(AcknowledgementBudget.refusal([wish("a", 3_500_000_000), wish("b", 0)]) == nil)
        let refusal = try #require(
            AcknowledgementBudget.refusal([wish("a", 3_500_000_000), wish("b", 0), wish("c", 1_000_000)]))
        #expect(
            refusal.message
                == "the plugins may take 4001ms in all to acknowledge a pause, more than 4s: a 3500ms, "
                + "b 500ms (the default), c 1ms")
        #expect(AcknowledgementBudget.refusal((0..<9).map { wish("p\($0)", 0) }) != nil)
        // No sum is too large to be added up.
        #expect(AcknowledgementBudget.refusal([wish("a", .max), wish("b", .max)]) != nil)
    }

    /// Another plugin kept the control thread past its deadline: it was named and counted although it had answered.
    @Test @HostActor func anAnswerThatWaitsForItsTurnIsNotLate() async throws {
        let it = ScriptedPlugin()
        var token: mh_token = 0
        it.onState = { asked, _ in token = max(token, asked) }
        let instance = try it.make()
        try instance.activate()
        let controller = LifecycleController(
            clock: it.clock, events: it.events, log: Log { [log = it.log] _, _, text in log.record(text) })
        it.onAcknowledge = { controller.acknowledge($0, accepted: $1) }
        controller.add(instance)
        controller.follow(.pause)
        // As from a thread of its own; the timer's turn comes first.
        it.acknowledge(token)
        it.clock.advance(by: .milliseconds(500))
        #expect(controller.stragglers.isEmpty && controller.stateName == "pausing")
        await it.turns()
        #expect(controller.stateName == "paused" && controller.ignoredAnswers == 0)
        #expect(it.lines("did not acknowledge") == 0)
        await it.end(instance)
    }

    @Test @HostActor func theWishIsReadFromTheTable() throws {
        let it = ScriptedPlugin()
        it.ackWithin = 700_000_000
        let instance = try it.make()
        #expect(instance.acknowledgement == .init(name: "it", nanoseconds: 700_000_000))
        #expect(instance.acknowledgeWithin == .milliseconds(700))
    }

    /// The plugin had freed it by then; a pause beside the end of the host read it.
    @Test @HostActor func theTableOfOneThatIsGoneIsNotRead() async throws {
        let it = ScriptedPlugin()
        it.ackWithin = 700_000_000
        let instance = try it.make()
        try instance.activate()
        await it.end(instance)
        #expect(instance.acknowledgement == nil)
    }
}
