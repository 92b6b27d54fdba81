import HostTestKit
import PluginABI
import PluginKit
import Testing

/// Notifications of a Swift plugin, on a screen that the test looks at. One after the other: the plugin remembers its last
/// object.
@Suite(.serialized) struct NotificationTests {
    private typealias Notification = PluginKit.Notification

    private func run(_ fake: FakeHost = FakeHost()) throws -> (FakeInstance, Announcer) {
        let instance = try FakeInstance.running(
            Announcer.descriptor.id, of: PluginEntry.entry(for: Announcer.self), in: fake)
        return (instance, try #require(Announcer.last.withLock { $0.announcer }))
    }

    private func seen(_ announcer: Announcer) -> [String] { announcer.seen.withLock { $0 } }

    private func summaries(_ instance: FakeInstance) -> [String] { instance.fake.notifications.map(\.summary) }

    @Test func everyPartArrives() throws {
        let (instance, announcer) = try run()
        var washed = Notification("Wash complete", body: "Time for the <dryer>.", key: "timer-a")
        washed.icon = "dialog-information"
        washed.category = "transfer.complete"
        washed.sound = "complete"
        washed.urgency = .critical
        washed.expiry = .after(.milliseconds(2500))
        washed.actions = [.init("dry", "Dry"), .init(Notification.Action.defaultID, "Show")]
        washed.isResident = true
        washed.isTransient = true
        washed.endsWithInstance = true
        #expect(try !announcer.show(washed).isWaiting)
        let shown = try instance.notification("Wash complete")
        #expect(shown.body == "Time for the <dryer>." && shown.key == "timer-a" && shown.isShown)
        #expect(shown.icon == "dialog-information" && shown.category == "transfer.complete")
        #expect(shown.sound == "complete" && shown.urgency == 1 && shown.expireMilliseconds == 2500)
        #expect(shown.actions.map { [$0.id, $0.label] } == [["dry", "Dry"], ["default", "Show"]])
        #expect(shown.isResident && shown.isTransient && shown.endsWithInstance)
        instance.end()
    }

    @Test func aPlainOneHasNothingElse() throws {
        let (instance, announcer) = try run()
        try announcer.show(Notification("a"))
        let shown = try instance.notification("a")
        #expect(shown.body == nil && shown.key == nil && shown.actions.isEmpty && shown.expireMilliseconds == nil)
        #expect(shown.urgency == 0 && !shown.isResident && !shown.isTransient && !shown.endsWithInstance)
        var never = Notification("b")
        never.expiry = .never
        try announcer.show(never)
        #expect(try instance.notification("b").expireMilliseconds == -1)
        // Too short to be a number of milliseconds is not "as the service likes".
        never = Notification("c")
        never.expiry = .after(.microseconds(1))
        try announcer.show(never)
        #expect(try instance.notification("c").expireMilliseconds == 1)
        instance.end()
    }

    @Test func theUserPressesAndDismisses() throws {
        let (instance, announcer) = try run()
        var asks = Notification("ask")
        asks.actions = [.init("yes", "Yes"), .init("no", "No")]
        try announcer.show(asks)
        try instance.press("yes", on: instance.notification("ask"))
        #expect(
            seen(announcer) == ["ask: action(\"yes\")", "ask: closed(PluginKit.NotificationResponse.End.dismissed)"])
        #expect(summaries(instance) == [])
        asks.isResident = true
        try announcer.show(asks)
        let shown = try instance.notification("ask")
        try instance.press("no", on: shown)
        #expect(summaries(instance) == ["ask"])
        #expect(throws: FakeInstance.Broken.self) { try instance.press("maybe", on: shown) }
        try instance.close(shown, mh_notification_end(MH_NOTIFICATION_EXPIRED))
        #expect(
            seen(announcer).suffix(2) == [
                "ask: action(\"no\")", "ask: closed(PluginKit.NotificationResponse.End.expired)",
            ])
        #expect(throws: FakeInstance.Broken.self) { try instance.close(shown) }
        instance.end()
    }

    @Test func aKeyReplacesAndAHandleWithdraws() throws {
        let (instance, announcer) = try run()
        let first = try announcer.show(Notification("45 min", key: "a"))
        let second = try announcer.show(Notification("44 min", key: "a"))
        try announcer.show(Notification("other", key: "b"))
        #expect(summaries(instance) == ["44 min", "other"])
        instance.settle()
        #expect(seen(announcer) == ["45 min: closed(PluginKit.NotificationResponse.End.replaced)"])
        // The place is another's now.
        first.withdraw()
        #expect(summaries(instance) == ["44 min", "other"])
        second.withdraw()
        second.withdraw()
        instance.settle()
        #expect(summaries(instance) == ["other"] && seen(announcer).count == 1)
        instance.end()
    }

    @Test func whatCannotBeShownNowWaits() throws {
        let fake = FakeHost()
        fake.setNotificationService(.away)
        let (instance, announcer) = try run(fake)
        #expect(try announcer.show(Notification("later")).isWaiting)
        var short = Notification("short")
        short.expiry = .after(.seconds(10))
        try announcer.show(short)
        #expect(fake.notifications.map(\.isShown) == [false, false])
        try instance.advance(by: .seconds(10))
        #expect(seen(announcer) == ["short: closed(PluginKit.NotificationResponse.End.expired)"])
        fake.setNotificationService(.there)
        #expect(fake.notifications.map(\.isShown) == [true])
        fake.setNotificationService(.away)
        instance.settle()
        #expect(seen(announcer).last == "later: closed(PluginKit.NotificationResponse.End.gone)")
        instance.end()
    }

    @Test func withoutAnyServiceTheErrorSaysSo() throws {
        let fake = FakeHost()
        fake.setNotificationService(.missing)
        let (instance, announcer) = try run(fake)
        let none = #expect(throws: PluginError.self) { try announcer.show(Notification("a")) }
        #expect(none?.code == .unsupported && fake.seen.failures.isEmpty)
        instance.end()
        let lacking = FakeHost(missing: [MH_EXT_NOTIFY])
        let (other, another) = try run(lacking)
        let missing = #expect(throws: PluginError.self) { try another.show(Notification("a")) }
        #expect(missing?.code == .unsupported && missing?.message.contains(MH_EXT_NOTIFY) == true)
        other.end()
    }

    @Test func mistakesAreNamed() throws {
        let (instance, announcer) = try run()
        let empty = #expect(throws: PluginError.self) { try announcer.show(Notification("")) }
        #expect(empty?.code == .invalid)
        #expect(instance.fake.seen.log == ["cannot show a notification: its summary is empty"])
        let flood = #expect(throws: PluginError.self) {
            for number in 0...20 { try announcer.show(Notification("\(number)")) }
        }
        #expect(flood?.code == .limit)
        try instance.advance(by: .seconds(1))
        try announcer.show(Notification("again"))
        instance.end()
        let late = #expect(throws: PluginError.self) { try announcer.show(Notification("late")) }
        #expect(late?.code == .state)
    }

    @Test func whatIsShownStaysUnlessItEndsWithTheInstance() throws {
        let (instance, announcer) = try run()
        try announcer.show(Notification("stays"))
        var ends = Notification("ends")
        ends.endsWithInstance = true
        try announcer.show(ends)
        try announcer.show(Notification("leaving"))
        instance.end()
        #expect(summaries(instance) == ["stays"])
        #expect(seen(announcer) == [])
    }

    /// The closures of `Announcer` hold it: the kit lets go of them.
    @Test func aPluginThatItsOwnNotificationHoldsIsFreedAllTheSame() throws {
        func showAndEnd() throws {
            let (instance, announcer) = try run()
            let handle = try announcer.show(Notification("a"))
            instance.end()
            withExtendedLifetime(handle) {}
        }
        try showAndEnd()
        #expect(Announcer.last.withLock { $0.announcer } == nil)
    }
}
