import HostCore
import HostTestKit
import PluginABI
import Testing

@testable import LaundryTimers

/// Who is told, how often, over ends, kills and crowds.
@Suite struct ToldOnceTests {
    private let wash = Value.map([.init("pet", "snowy"), .init("kind", "wash")])

    @Test func aCrowdIsToldTogether() throws {
        let board = try Board([:])
        let count = 300
        for number in 0..<count { _ = try board.ask("pet-add", ["id": .string("pet\(number)")]) }
        let starts = (0..<count).map {
            Value.map([
                .init("pet", .string("pet\($0)")), .init("kind", "wash"), .init("duration", "60s"),
            ])
        }
        #expect(try board.ask("start-many", ["timers": .list(starts)])["started"]?.int == Int64(count))
        try board.instance.suspend(for: .seconds(600))
        board.instance.settle()
        #expect(try board.ask("list")["due"]?.int == Int64(count))
        // Each of them is listed, page by page.
        var listed: [String] = []
        var after: Int64? = 0
        while let from = after {
            let page = try board.ask("list", ["limit": 100, "after": .int(from)])
            listed += (page["finished"]?.list ?? []).compactMap { $0["pet"]?.string }
            after = page["after"]?.int
        }
        #expect(listed == (0..<count).map { "pet\($0)" })
        // A list each millisecond.
        for _ in 0..<2 { try board.pass(.milliseconds(1)) }
        let single = board.events("finished").compactMap { $0["pet"]?.string }
        let many = board.events("finished-many").flatMap { $0["timers"]?.list ?? [] }.compactMap { $0["pet"]?.string }
        #expect(single.count == 8 && single + many == (0..<count).map { "pet\($0)" })
        // Ten by themselves, and one for the rest.
        #expect(board.fake.notifications.count == 11)
        #expect(try board.instance.notification("290 timers finished").body?.hasSuffix("and 285 more") == true)
        // All of it was noted: nothing comes again.
        try board.restart(after: .seconds(1))
        #expect(board.events("finished").isEmpty && board.events("finished-many").isEmpty)
        board.end()
    }

    @Test func whatIsStaleIsListedWithoutANotification() throws {
        let board = try Board(["pets": [["id": "snowy"]], "stale-after": "1h"])
        _ = try board.ask("start", wash)
        try board.restart(after: .seconds(2 * 3600), reboot: true)
        #expect(board.events("finished").first?["stale"]?.bool == true)
        #expect(board.fake.notifications.isEmpty)
        #expect(try board.ask("list")["finished"]?.list?.first?["stale"]?.bool == true)
        board.end()
    }

    /// A kill between the event and its note: told once more, with the same key, and counted.
    @Test func aKillBetweenSendAndCommitIsCounted() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        try board.instance.advance(by: .seconds(2700))
        board.fake.runWork()
        board.instance.callMain()
        #expect(board.events("finished").map { $0["attempt"]?.int } == [1])
        // What it wanted to write is lost.
        try board.kill(after: .seconds(2701))
        #expect(board.events("finished").map { $0["attempt"]?.int } == [2])
        #expect(board.events("finished").map { $0["timer"]?.string } == ["snowy/1"])
        #expect(try board.ask("summary")["redeliveries"]?.int == 1)
        #expect(board.fake.metrics["timers_redelivered_total"] == 1)
        board.end()
    }

    /// The same with an end in order: what was told is noted, and is not told again.
    @Test func anEndInOrderLosesNoNote() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        try board.instance.advance(by: .seconds(2700))
        board.fake.runWork()
        board.instance.callMain()
        #expect(board.events("finished").count == 1)
        try board.restart(after: .seconds(2701))
        #expect(board.events("finished").isEmpty && board.fake.notifications.isEmpty)
        #expect(try board.ask("summary")["redeliveries"]?.int == 0)
        #expect(try board.ask("list")["due"]?.int == 1)
        board.end()
    }

    /// It was completed, and nobody was told: the next host tells it, as the first attempt.
    @Test func whatNobodyHeardAtTheEndIsToldByTheNext() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        // Rules and clients are gone already when plugins end.
        try board.instance.tell(
            mh_lifecycle_change(MH_LIFECYCLE_CHANGED), token: 0, state: UInt64(MH_LIFECYCLE_SHUTTING_DOWN))
        try board.pass(.seconds(2700))
        #expect(board.events("finished").isEmpty && board.fake.notifications.isEmpty)
        try board.restart(after: .seconds(2701))
        #expect(board.events("finished").map { $0["attempt"]?.int } == [1])
        #expect(try board.ask("summary")["redeliveries"]?.int == 0)
        #expect(board.fake.notifications.count == 1)
        board.end()
    }

    /// The same where somebody is done with it meanwhile: nobody is shown it, and rules hear of it.
    @Test func whatWasAcknowledgedAtTheEndIsToldByTheNext() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        try board.instance.tell(
            mh_lifecycle_change(MH_LIFECYCLE_CHANGED), token: 0, state: UInt64(MH_LIFECYCLE_SHUTTING_DOWN))
        try board.pass(.seconds(2700))
        #expect(try board.ask("acknowledge", ["timer": "snowy"])["count"]?.int == 1)
        try board.restart(after: .seconds(2701))
        #expect(board.events("finished").map { $0["attempt"]?.int } == [1])
        #expect(board.fake.notifications.isEmpty)
        #expect(try board.ask("list")["due"]?.int == 0)
        try board.restart(after: .seconds(1))
        #expect(board.events("finished").isEmpty)
        board.end()
    }

    /// A pet with several finished ones: the notification goes with the one that it shows, whatever becomes of the others.
    @Test func aNotificationIsClosedWithItsOwnTimer() throws {
        let board = try Board(["pets": [["id": "snowy"]], "schedules": [["pet": "snowy", "every": "10min"]]])
        try board.pass(.seconds(600))
        try board.pass(.seconds(600))
        #expect(board.fake.notifications.count == 1)
        #expect(try board.ask("acknowledge", ["timer": "snowy/1"])["count"]?.int == 1)
        #expect(board.fake.notifications.count == 1)
        #expect(try board.ask("acknowledge", ["timer": "snowy/2"])["count"]?.int == 1)
        #expect(board.fake.notifications.isEmpty)
        // The newest first.
        try board.pass(.seconds(600))
        try board.pass(.seconds(600))
        #expect(try board.ask("acknowledge", ["timer": "snowy/4"])["count"]?.int == 1)
        #expect(board.fake.notifications.isEmpty)
        // What came while a timer ran goes with that.
        _ = try board.ask("start", ["pet": "snowy", "kind": "dry"])
        try board.pass(.seconds(600))
        #expect(board.fake.notifications.count == 1)
        _ = try board.ask("stop", ["pet": "snowy"])
        #expect(board.fake.notifications.isEmpty)
        board.end()
    }

    /// The event is out and the notification waits for its second: the next host shows it, and tells nothing twice.
    @Test func aNotificationThatWaitedIsShownByTheNext() throws {
        let pets = (0..<13).map { Value.map([.init("id", .string("pet\($0)"))]) }
        let board = try Board(["pets": .list(pets)])
        for number in 0..<13 {
            let duration: Value = number < 11 ? "10s" : "10100ms"
            _ = try board.ask("start", ["pet": .string("pet\(number)"), "kind": "wash", "duration": duration])
        }
        try board.pass(.seconds(10))
        #expect(board.fake.notifications.count == 11)
        try board.pass(.milliseconds(100))
        let told =
            board.events("finished").count
            + board.events("finished-many").reduce(0) {
                $0 + ($1["timers"]?.list?.count ?? 0)
            }
        #expect(told == 13 && board.fake.notifications.count == 11)
        // It is noted when everybody has heard of it.
        try board.pass(.milliseconds(100))
        try board.kill(after: .milliseconds(10))
        #expect(board.events("finished").isEmpty && board.events("finished-many").isEmpty)
        #expect(board.fake.notifications.map(\.key) == ["timer_pet11", "timer_pet12"])
        #expect(try board.ask("summary")["redeliveries"]?.int == 0)
        board.end()
    }

    /// A host that has enough events for a second gets the rest later, and none is lost or doubled.
    @Test func eventsThatTheHostDidNotTakeComeLater() throws {
        let board = try Board(["pets": [["id": "a"], ["id": "b"], ["id": "c"]], "tick": false])
        for pet in ["a", "b", "c"] { _ = try board.ask("start", ["pet": .string(pet), "kind": "wash"]) }
        try board.pass(.seconds(1))
        board.fake.setEventRoom(1)
        try board.pass(.seconds(2699))
        #expect(board.events("finished").map { $0["pet"]?.string } == ["a"])
        #expect(board.fake.notifications.count == 3)
        board.fake.setEventRoom(nil)
        try board.pass(.milliseconds(250))
        #expect(
            board.events("finished-many").flatMap { $0["timers"]?.list ?? [] }.map { $0["pet"]?.string } == ["b", "c"])
        try board.restart(after: .seconds(1))
        #expect(board.events("finished").isEmpty && board.events("finished-many").isEmpty)
        board.end()
    }

    /// One notification of many goes when the last of them is done with.
    @Test func aCrowdsNotificationIsClosedWithTheLastOfIt() throws {
        let pets = (0..<12).map { Value.map([.init("id", .string("pet\($0)"))]) }
        let board = try Board(["pets": .list(pets)])
        for number in 0..<12 { _ = try board.ask("start", ["pet": .string("pet\(number)"), "kind": "wash"]) }
        try board.pass(.seconds(2700))
        #expect(board.fake.notifications.contains { $0.key == "timers" })
        _ = try board.ask("stop", ["pet": "pet10"])
        #expect(board.fake.notifications.contains { $0.key == "timers" })
        _ = try board.ask("stop", ["pet": "pet11"])
        #expect(!board.fake.notifications.contains { $0.key == "timers" } && board.fake.notifications.count == 10)
        board.end()
    }

    // MARK: Before the commit

    /// A board on which a wash is over in a tenth of a second.
    private func soonOver(vfs: String? = nil) throws -> Board {
        let board = try Board(vfs: vfs)
        _ = try board.ask("start", wash)
        try board.pass(.milliseconds(2_699_900))
        return board
    }

    /// No worker runs between the end and the event: it waits for no disk.
    @Test func theEndIsToldBeforeItIsCommitted() throws {
        let board = try soonOver()
        try board.instance.advance(by: .milliseconds(100))
        #expect(board.events("finished").map { $0["timer"]?.string } == ["snowy/1"])
        #expect(board.events("finished").map { $0["late"]?.int } == [0])
        #expect(board.fake.notifications.count == 1)
        // Whoever asks then finds it over.
        #expect(try board.ask("status", ["pet": "snowy"])["state"]?.string == "neutral")
        #expect(try board.ask("list")["due"]?.int == 1)
        #expect(board.fake.metrics["timers_due"] == 1)
        try board.pass(.seconds(1))
        #expect(board.events("finished").count == 1)
        try board.restart(after: .seconds(1))
        #expect(board.events("finished").isEmpty)
        board.end()
    }

    @Test func aKillBetweenSendAndCompletionIsCounted() throws {
        let board = try soonOver()
        try board.instance.advance(by: .milliseconds(100))
        #expect(board.events("finished").map { $0["attempt"]?.int } == [1])
        try board.kill(after: .seconds(2701))
        #expect(board.events("finished").map { $0["attempt"]?.int } == [2])
        #expect(board.events("finished").map { $0["timer"]?.string } == ["snowy/1"])
        #expect(board.fake.metrics["timers_redelivered_total"] == 1)
        board.end()
    }

    /// The host ends in order in that moment.
    @Test func anEndInOrderCommitsWhatWasTold() throws {
        let board = try soonOver()
        try board.instance.advance(by: .milliseconds(100))
        #expect(board.events("finished").count == 1)
        try board.restart(after: .seconds(2701))
        #expect(board.events("finished").isEmpty)
        #expect(try board.ask("list")["due"]?.int == 1)
        #expect(try board.ask("summary")["redeliveries"]?.int == 0)
        board.end()
    }

    /// Rules and clients are gone: what was ready waits for the next host, as its first attempt.
    @Test func aHostThatEndsTellsNothingMore() throws {
        let board = try soonOver()
        try board.instance.tell(
            mh_lifecycle_change(MH_LIFECYCLE_CHANGED), token: 0, state: UInt64(MH_LIFECYCLE_SHUTTING_DOWN))
        try board.pass(.milliseconds(100))
        #expect(board.events("finished").isEmpty)
        try board.restart(after: .seconds(2701))
        #expect(board.events("finished").map { $0["attempt"]?.int } == [1])
        board.end()
    }
}
