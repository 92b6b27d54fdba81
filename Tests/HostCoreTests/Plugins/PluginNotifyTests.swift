import GStreamerKit
import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// mh.notify as a plugin sees it, with a bus that the test plays.
@Suite(.timeLimit(.minutes(10))) struct PluginNotifyTests {
    init() { MainLoopThread.start() }

    @HostActor
    private struct Notify {
        let it: ScriptedPlugin

        func show(
            _ summary: String? = "a", key: String? = nil, action: String? = nil,
            _ change: (inout mh_notification_1) -> Void = { _ in }
        ) -> (status: mh_status, token: mh_token) {
            func lend(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
                if let text { text.withCString(body) } else { body(nil) }
            }
            var token: mh_token = 99
            var status: mh_status = 1
            let table = it.table(MH_EXT_NOTIFY, as: mh_notify_host_1.self)
            lend(summary) { summary in
                lend(key) { key in
                    lend(action) { action in
                        var row = mh_notification_action_1(id: action, label: action)
                        withUnsafePointer(to: &row) { row in
                            var request = mh_notification_1()
                            (request.summary, request.key) = (summary, key)
                            if action != nil { (request.actions, request.action_count) = (row, 1) }
                            change(&request)
                            status = table?.pointee.show?(it.host, &request, &token) ?? 1
                        }
                    }
                }
            }
            return (status, token)
        }

        func withdraw(_ token: mh_token) -> mh_status {
            it.table(MH_EXT_NOTIFY, as: mh_notify_host_1.self)?.pointee.withdraw?(it.host, token) ?? 1
        }
    }

    @Test @HostActor func isShownPressedAndClosed() async throws {
        let it = ScriptedPlugin()
        let notify = Notify(it: it)
        var told: [String] = []
        it.onAction = { told.append("\($0) \($1)") }
        it.onClosed = { told.append("\($0) closed \($1)") }
        let instance = try it.make()
        try instance.activate()
        let shown = notify.show("Washed", action: "dry")
        #expect(shown.status == 0 && shown.token != 0)
        it.bus.serve()
        it.bus.tell(.sent(shown.token, .shown(7)))
        #expect(it.bus.messages[shown.token]?.summary == "Washed")
        // Who shows it is the plugin, by its own name.
        #expect(it.bus.messages[shown.token]?.application == "Scripted")
        it.bus.tell(.chosen(7, action: "dry"))
        it.bus.tell(.closed(7, code: 2))
        await it.turns(1)
        #expect(told == ["\(shown.token) dry", "\(shown.token) closed \(MH_NOTIFICATION_DISMISSED)"])
        #expect(notify.withdraw(shown.token) == mh_status(MH_E_NOT_FOUND))
        await it.end(instance)
    }

    @Test @HostActor func theCallSaysThatNobodyIsThereNow() async throws {
        let it = ScriptedPlugin()
        let notify = Notify(it: it)
        let instance = try it.make()
        try instance.activate()
        it.notifications.prepare()
        it.bus.tell(.vanished)
        let waiting = notify.show()
        #expect(waiting.status == mh_status(MH_E_BUSY) && waiting.token != 0)
        #expect(it.bus.takeCalls() == ["connect", "start"])
        it.bus.serve()
        #expect(it.bus.messages.keys.sorted() == [waiting.token])
        #expect(it.failures.isEmpty)
        await it.end(instance)
    }

    @Test @HostActor func whoNeedsTheServiceHasItLookedForInTime() async throws {
        let it = ScriptedPlugin()
        it.requires = [MH_EXT_NOTIFY]
        let instance = try it.make()
        #expect(it.bus.calls.isEmpty)
        try instance.activate()
        #expect(it.bus.takeCalls() == ["connect"])
        it.bus.tell(.vanished)
        #expect(Notify(it: it).show().status == mh_status(MH_E_BUSY))
        await it.end(instance)
        let other = ScriptedPlugin()
        let plain = try other.make()
        try plain.activate()
        #expect(other.bus.calls.isEmpty)
        await other.end(plain)
    }

    @Test @HostActor func withoutABusItIsNoFailureOfTheInstance() async throws {
        let it = ScriptedPlugin()
        it.bus.absence = "there is none"
        let instance = try it.make()
        try instance.activate()
        #expect(Notify(it: it).show() == (mh_status(MH_E_UNSUPPORTED), 0))
        #expect(it.failures.isEmpty && it.lines("are not shown: there is none") == 1)
        await it.end(instance)
    }

    @Test @HostActor func whatMakesNoSenseIsRefused() async throws {
        let it = ScriptedPlugin()
        let notify = Notify(it: it)
        let instance = try it.make()
        #expect(notify.show() == (mh_status(MH_E_STATE), 0))
        try instance.activate()
        let invalid = mh_status(MH_E_INVALID)
        #expect(notify.show(nil) == (invalid, 0))
        #expect(notify.show { $0.urgency = 7 } == (invalid, 0))
        #expect(it.lines("cannot show a notification: there is no urgency 7") == 1)
        let table = it.table(MH_EXT_NOTIFY, as: mh_notify_host_1.self)
        #expect(table?.pointee.show?(it.host, nil, nil) == invalid)
        #expect(notify.withdraw(12) == mh_status(MH_E_NOT_FOUND))
        #expect(it.bus.calls.isEmpty)
        await it.end(instance)
        #expect(notify.show() == (mh_status(MH_E_STATE), 0))
    }

    @Test @HostActor func aPluginThatDoesNotListenMayShowWhatNeedsNoAnswer() async throws {
        let it = ScriptedPlugin()
        it.lacks = [MH_EXT_NOTIFY]
        let notify = Notify(it: it)
        let instance = try it.make()
        try instance.activate()
        #expect(notify.show(action: "dry") == (mh_status(MH_E_UNSUPPORTED), 0))
        let shown = notify.show()
        #expect(shown.status == 0)
        it.bus.serve()
        it.bus.tell(.sent(shown.token, .shown(7)))
        it.bus.tell(.closed(7, code: 1))
        await it.turns(1)
        #expect(notify.withdraw(shown.token) == mh_status(MH_E_NOT_FOUND))
        await it.end(instance)
    }

    @Test @HostActor func tooManyAreRefusedAndNamedOnce() async throws {
        let it = ScriptedPlugin()
        let notify = Notify(it: it)
        let instance = try it.make()
        try instance.activate()
        for _ in 1...NotificationLimit.burst { #expect(notify.show().status == 0) }
        #expect(notify.show() == (mh_status(MH_E_LIMIT), 0))
        #expect(notify.show() == (mh_status(MH_E_LIMIT), 0))
        #expect(it.lines("shows too many notifications") == 1)
        #expect(instance.counters["refused_notifications"] == 2)
        await it.end(instance)
    }

    @Test @HostActor func afterItsEndAnInstanceHearsNothing() async throws {
        let it = ScriptedPlugin()
        let notify = Notify(it: it)
        var told = 0
        it.onAction = { _, _ in told += 1 }
        it.onClosed = { _, _ in told += 1 }
        let instance = try it.make()
        try instance.activate()
        let stays = notify.show(action: "dry")
        let ends = notify.show { $0.flags = UInt32(MH_NOTIFICATION_ENDS_WITH_INSTANCE) }
        it.bus.serve()
        it.bus.tell(.sent(stays.token, .shown(7)))
        it.bus.tell(.sent(ends.token, .shown(8)))
        // On its way when the instance ends.
        it.bus.tell(.chosen(7, action: "dry"))
        _ = it.bus.takeCalls()
        await it.end(instance)
        #expect(it.bus.takeCalls() == ["close 8"])
        it.bus.tell(.chosen(7, action: "dry"))
        it.bus.tell(.closed(7, code: 2))
        await it.turns(2)
        #expect(told == 0)
        #expect(notify.withdraw(stays.token) == mh_status(MH_E_NOT_FOUND))
    }

    @Test @HostActor func whatIsWithdrawnIsNotHeardOf() async throws {
        let it = ScriptedPlugin()
        let notify = Notify(it: it)
        var told = 0
        it.onClosed = { _, _ in told += 1 }
        let instance = try it.make()
        try instance.activate()
        let shown = notify.show()
        it.bus.serve()
        it.bus.tell(.sent(shown.token, .shown(7)))
        // The user was quicker, and the plugin does not know yet.
        it.bus.tell(.closed(7, code: 2))
        #expect(notify.withdraw(shown.token) == 0)
        await it.turns(1)
        #expect(told == 0)
        #expect(notify.withdraw(shown.token) == mh_status(MH_E_NOT_FOUND))
        await it.end(instance)
    }

    @Test @HostActor func itMayShowAnotherOneInItsCall() async throws {
        let it = ScriptedPlugin()
        let notify = Notify(it: it)
        var again: (status: mh_status, token: mh_token) = (1, 0)
        it.onClosed = { _, _ in again = notify.show("again") }
        let instance = try it.make()
        try instance.activate()
        let shown = notify.show()
        it.bus.serve()
        it.bus.tell(.sent(shown.token, .shown(7)))
        it.bus.tell(.closed(7, code: 1))
        await it.turns(1)
        #expect(again.status == 0 && it.bus.messages[again.token]?.summary == "again")
        await it.end(instance)
    }

    @Test @HostActor func aWithdrawalFromAnotherThreadIsFollowed() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        let shown = Notify(it: it).show()
        it.bus.serve()
        it.bus.tell(.sent(shown.token, .shown(7)))
        _ = it.bus.takeCalls()
        // Constant; the context behind it may be reached from any thread.
        nonisolated(unsafe) let host = it.host
        nonisolated(unsafe) let table = it.table(MH_EXT_NOTIFY, as: mh_notify_host_1.self)
        let (status, refusal) = await Task.detached { () -> (mh_status?, mh_status?) in
            var (request, token) = (mh_notification_1(), mh_token(99))
            return (table?.pointee.withdraw?(host, shown.token), table?.pointee.show?(host, &request, &token))
        }.value
        #expect(status == 0 && refusal == mh_status(MH_E_STATE))
        await it.turns(2)
        #expect(it.bus.takeCalls() == ["close 7"])
        await it.end(instance)
    }
}
