import HostCore
import HostTestKit
import PluginABI
import Testing

@testable import LaundryTimers

/// The plugin against a fake host: the seed's flow and its checklist.
@Suite struct LaundryTimersTests {
    private let wash = Value.map([.init("pet", "snowy"), .init("kind", "wash")])

    /// Flow 1 to 6: start, watch, leave, finish while away, notification, restore.
    @Test func theWholeFlow() throws {
        let board = try Board()
        // 1, 2
        let timer = try board.ask("start", wash)
        #expect(timer["duration"]?.int == 45 * minute && timer["remaining"]?.int == 45 * minute)
        #expect(timer["started_at"]?.int == newYear && timer["ends_at"]?.int == newYear + 45 * minute)
        #expect(timer["title"]?.string == "Washing" && timer["timer"]?.string == "snowy/1")
        // 3: each second while somebody looks.
        _ = try board.ask("watch", ["for": "10s"])
        for left in [2699, 2698, 2697] {
            try board.pass(.seconds(1))
            let update = try #require(board.events("update").last)
            #expect(update["timers"]?.list?.first?["remaining"]?.int == Int64(left) * second)
        }
        // 4: nobody looks any more, and the host is closed at 5 minutes.
        try board.pass(.seconds(297))
        #expect(board.events("update").count <= 10)
        try board.restart(after: .seconds(45 * 60 + 30))
        // 6: 5 minutes and 30 s after the end the host is there again.
        let finished = board.events("finished")
        #expect(finished.count == 1)
        #expect(finished.first?["timer"]?.string == "snowy/1" && finished.first?["pet"]?.string == "snowy")
        #expect(finished.first?["finished_at"]?.int == newYear + 45 * minute)
        #expect(finished.first?["late"]?.int == 330 * second && finished.first?["next"]?.string == "start-dryer")
        // 5
        let notice = try board.instance.notification("Wash Complete!")
        #expect(notice.body == "Time to move your laundry to the dryer!")
        #expect(notice.key == "timer_snowy" && notice.sound == "alarm-clock-elapsed")
        #expect(notice.actions.map(\.id) == ["default", "next", "snooze", "stop"])
        #expect(notice.actions.map(\.label) == ["Open", "Start Dryer", "Snooze 5 min", "Stop"])
        let pet = try board.ask("status", ["pet": "snowy"])
        #expect(pet["state"]?.string == "neutral" && pet["stage"]?.string == "drying" && pet["timer"] == nil)
        #expect(pet["next_title"]?.string == "Start Dryer")
        try board.instance.press("next", on: notice)
        board.instance.settle()
        #expect(try board.ask("status", ["pet": "snowy"])["timer"]?["kind"]?.string == "dry")
        #expect(board.fake.notifications.isEmpty)
        board.end()
    }

    /// FR-1: finished while the host runs, at the moment and once.
    @Test func aTimerFinishesInTheForeground() throws {
        let board = try Board()
        _ = try board.ask("start", ["pet": "snowy", "kind": "dry", "duration": "90s"])
        try board.pass(.milliseconds(89_999))
        #expect(board.events("finished").isEmpty && board.fake.notifications.isEmpty)
        try board.pass(.milliseconds(1))
        #expect(board.events("finished").count == 1 && board.events("finished").first?["late"]?.int == 0)
        #expect(try board.instance.notification("Dry Complete!").body == "Time to fold your laundry!")
        try board.pass(.seconds(7200))
        #expect(board.events("finished").count == 1)
        try board.restart(after: .seconds(60))
        #expect(board.events("finished").isEmpty)
        // Nobody has acknowledged it yet.
        #expect(try board.ask("list")["due"]?.int == 1)
        board.end()
    }

    @Test func cycleHasItsOwnTexts() throws {
        let board = try Board()
        _ = try board.ask("start", ["pet": "snowy", "kind": "cycle"])
        try board.pass(.seconds(30 * 60))
        #expect(try board.instance.notification("Laundry Time!").body == "Your pet needs attention!")
        #expect(try board.ask("status", ["pet": "snowy"])["state"]?.string == "needs-attention")
        board.end()
    }

    /// NFR-1: an hour, with a host that comes and goes, ends at its moment.
    @Test func nothingDriftsOverAnHourOfRestarts() throws {
        let board = try Board()
        _ = try board.ask("start", ["pet": "snowy", "kind": "wash", "duration": "1h"])
        for round in 0..<35 {
            try board.pass(.milliseconds(50_017))
            try board.restart(after: .milliseconds(49_983), reboot: round % 5 == 0)
        }
        #expect(try board.ask("status", ["pet": "snowy"])["timer"]?["remaining"]?.int == 100 * second)
        try board.pass(.seconds(100))
        #expect(board.events("finished").first?["late"]?.int == 0)
        #expect(board.events("finished").first?["finished_at"]?.int == newYear + 60 * minute)
        board.end()
    }

    /// Seed's table of three pets: each its own notification; the badge is 3.
    @Test func threePetsAtOnce() throws {
        let board = try Board(["pets": [["id": "petA"], ["id": "petB"], ["id": "petC"]]])
        for (pet, time) in [("petA", "45min"), ("petB", "50min"), ("petC", "47min")] {
            _ = try board.ask("start", ["pet": .string(pet), "kind": "wash", "duration": .string(time)])
        }
        try board.pass(.seconds(45 * 60))
        #expect(board.fake.notifications.map(\.key) == ["timer_petA"])
        try board.pass(.seconds(120))
        #expect(board.fake.notifications.map(\.key) == ["timer_petA", "timer_petC"])
        try board.pass(.seconds(180))
        #expect(board.fake.notifications.map(\.key) == ["timer_petA", "timer_petC", "timer_petB"])
        #expect(try board.ask("summary")["due"]?.int == 3)
        #expect(board.fake.metrics["timers_due"] == 3)
        board.end()
    }

    @Test func aStopCancelsAndClosesTheNotification() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        let stopped = try board.ask("stop", ["pet": "snowy"])
        #expect(stopped["stopped"]?.string == "snowy/1")
        try board.pass(.seconds(3600))
        #expect(board.events("finished").isEmpty && board.fake.notifications.isEmpty)
        _ = try board.ask("start", wash)
        try board.pass(.seconds(2700))
        #expect(board.fake.notifications.count == 1)
        let done = try board.ask("stop", ["pet": "snowy"])
        #expect(done["stopped"] == nil && done["acknowledged"]?.int == 1 && board.fake.notifications.isEmpty)
        #expect(throws: (any Error).self) { try board.ask("stop", ["pet": "snowy"]) }
        board.end()
    }

    /// The end and a new start come together: it is told, and what is shown is about the new one.
    @Test func aFinishIsToldAlsoWhereTheNextStartIsAtOnce() throws {
        let board = try Board()
        _ = try board.ask("start", ["pet": "snowy", "kind": "wash", "duration": "10s"])
        board.fake.setNow(newYear + 10 * second)
        _ = try board.ask("start", ["pet": "snowy", "kind": "dry", "duration": "10s"])
        #expect(board.events("finished").map { $0["timer"]?.string } == ["snowy/1"])
        #expect(board.fake.notifications.isEmpty)
        try board.pass(.seconds(10))
        #expect(board.fake.notifications.map(\.summary) == ["Dry Complete!"])
        board.end()
    }

    @Test func theNotificationsButtons() throws {
        let board = try Board()
        func finish() throws -> FakeNotification {
            _ = try board.ask("start", ["pet": "snowy", "kind": "wash", "duration": "10s"])
            try board.pass(.seconds(10))
            return try board.instance.notification("Wash Complete!")
        }
        try board.instance.press("snooze", on: try finish())
        board.instance.settle()
        #expect(try board.ask("status", ["pet": "snowy"])["timer"]?["duration"]?.int == 300 * second)
        try board.pass(.seconds(300))
        try board.instance.press("stop", on: try board.instance.notification("Wash Complete!"))
        board.instance.settle()
        #expect(try board.ask("list")["due"]?.int == 0)
        // Deep link: which pet it is about.
        try board.instance.press("default", on: try finish())
        board.instance.settle()
        #expect(board.events("opened") == [["pet": "snowy", "timer": "snowy/3"]])
        try board.instance.close(try finish())
        board.instance.settle()
        #expect(try board.ask("list")["due"]?.int == 0)
        board.end()
    }

    @Test(arguments: [FakeNotificationService.missing, .away])
    func withoutNotificationsEverythingElseWorks(_ service: FakeNotificationService) throws {
        let board = try Board()
        board.fake.setNotificationService(service)
        _ = try board.ask("start", wash)
        try board.pass(.seconds(2700))
        #expect(board.events("finished").count == 1)
        #expect(try board.ask("status", ["pet": "snowy"])["state"]?.string == "neutral")
        #expect(board.fake.notifications.contains { $0.isShown } == false)
        #expect(board.fake.seen.failures.isEmpty)
        board.fake.setNotificationService(.there)
        board.instance.settle()
        #expect(board.fake.notifications.count == (service == .away ? 1 : 0))
        board.end()
    }

    @Test func whatBecameDueInSleepIsOverWhenItEnds() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        try board.instance.suspend(for: .seconds(3600))
        board.instance.settle()
        #expect(board.events("finished").first?["late"]?.int == 900 * second)
        board.end()
    }

    /// Edge case "system time changes": for `wall` an end that is past now is over, one that is not is told anew.
    @Test func aClockThatIsSetEndsWallTimersOnly() throws {
        let board = try Board(["pets": [["id": "a"], ["id": "b"]]])
        _ = try board.ask("start", ["pet": "a", "kind": "wash"])
        _ = try board.ask("start", ["pet": "b", "kind": "wash", "basis": "wall"])
        try board.instance.setWallClock(by: .seconds(-600))
        board.instance.settle()
        #expect(try board.ask("status", ["pet": "b"])["timer"]?["remaining"]?.int == 55 * minute)
        #expect(try board.ask("status", ["pet": "a"])["timer"]?["remaining"]?.int == 45 * minute)
        try board.instance.setWallClock(by: .seconds(3600))
        board.instance.settle()
        #expect(board.events("finished").map { $0["pet"]?.string } == ["b"])
        #expect(try board.ask("status", ["pet": "a"])["timer"]?["remaining"]?.int == 45 * minute)
        board.end()
    }

    /// Low power: each 5 s. In the background: not at all, and the timers go on.
    /// Waking is the default; where it cannot be, or is not wanted, `summary` says so and the timer comes all the same.
    @Test func theNextTimerWakesTheMachine() throws {
        let board = try Board()
        func wake() throws -> String? { try board.ask("summary")["wake"]?.string }
        #expect(try wake() == "on")
        #expect(!board.fake.isWakeArmed)
        _ = try board.ask("start", wash)
        #expect(board.fake.isWakeArmed)
        #expect(try board.instance.apply(["pets": [["id": "snowy"]], "wake": false]) == .applied)
        board.instance.settle()
        #expect(try wake() == "off")
        #expect(!board.fake.isWakeArmed)
        board.fake.wakesMachine = false
        #expect(try board.instance.apply(["pets": [["id": "snowy"]], "wake": true]) == .applied)
        board.instance.settle()
        #expect(try wake() == "cannot-wake")
        try board.instance.suspend(for: .seconds(2700))
        board.instance.settle()
        #expect(board.events("finished").count == 1)
        board.end()
    }

    /// Another config arms what waits already on the other clock, at once.
    @Test(arguments: [true, false])
    func aReloadLeavesTheNextTimerArmed(_ wakes: Bool) throws {
        let board = try Board(["pets": [["id": "snowy"]], "tick": false, "wake": .bool(!wakes)])
        _ = try board.ask("start", wash)
        #expect(try board.instance.apply(["pets": [["id": "snowy"]], "tick": false, "wake": .bool(wakes)]) == .applied)
        board.instance.settle()
        #expect(board.fake.isWakeArmed == wakes)
        try board.pass(.seconds(2700))
        #expect(board.events("finished").map { $0["late"]?.int } == [0])
        board.end()
    }

    /// Whoever shows timers asks anew when one was started or stopped; a thousand starts are no thousand events.
    @Test func changesAreToldButNotEachOfMany() throws {
        let board = try Board(["pets": [["id": "snowy"], ["id": "fluffy"]], "tick": false])
        func changes() -> [Int64?] { board.events("changed").map { $0["running"]?.int } }
        _ = try board.ask("start", wash)
        #expect(changes() == [1])
        for _ in 0..<20 {
            _ = try board.ask("start", ["pet": "fluffy", "kind": "dry"])
            _ = try board.ask("stop", ["pet": "fluffy"])
        }
        #expect(changes() == [1])
        try board.pass(.milliseconds(250))
        #expect(changes() == [1, 1])
        try board.pass(.seconds(60))
        _ = try board.ask("list")
        #expect(changes() == [1, 1])
        _ = try board.ask("stop", ["pet": "snowy"])
        #expect(changes() == [1, 1, 0])
        board.end()
    }

    @Test func updatesFollowWhatTheHostDoes() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        _ = try board.ask("watch", ["for": "1h"])
        func updates(in seconds: Int) throws -> Int {
            let before = board.events("update").count
            for _ in 0..<seconds { try board.pass(.seconds(1)) }
            return board.events("update").count - before
        }
        #expect(try updates(in: 10) == 10)
        try board.instance.tell(
            mh_lifecycle_change(MH_LIFECYCLE_CHANGED), token: 0, state: UInt64(MH_LIFECYCLE_LOW_POWER))
        #expect(try updates(in: 20) == 4)
        try board.instance.tell(
            mh_lifecycle_change(MH_LIFECYCLE_WILL_PAUSE), token: 3, state: UInt64(MH_LIFECYCLE_PAUSED))
        #expect(try updates(in: 20) == 0)
        #expect(board.fake.seen.acknowledgements == [3: [0]])
        try board.instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_RESUME), token: 4)
        #expect(try updates(in: 10) == 10)
        #expect(board.events("tick").count == 2)
        try board.pass(.seconds(2700))
        #expect(board.events("finished").count == 1)
        board.end()
    }

    /// Nothing wakes an idle host but the tick, and without it nothing at all.
    @Test func anIdleHostSleeps() throws {
        let board = try Board(["pets": [["id": "snowy"]], "tick": false])
        #expect(board.fake.armedTimers == 0)
        _ = try board.ask("start", wash)
        // The change is told.
        try board.pass(.milliseconds(250))
        #expect(board.fake.armedTimers == 1)
        _ = try board.ask("stop", ["pet": "snowy"])
        try board.pass(.milliseconds(250))
        #expect(board.fake.armedTimers == 0)
        board.end()
    }

    /// A board without a battery and without the tick: somebody looks whether the clock is right by now.
    @Test func aTimerThatWaitsForTheClockIsLookedAfter() throws {
        let board = try Board(["pets": [["id": "snowy"]], "tick": false])
        _ = try board.ask("start", ["pet": "snowy", "kind": "wash", "basis": "wall"])
        board.shared.machine.withLock { $0.isSynchronised = false }
        try board.restart(after: .seconds(-100 * 86_400), reboot: true)
        #expect(try board.ask("status", ["pet": "snowy"])["timer"]?["status"]?.string == "waiting-for-clock")
        board.shared.machine.withLock { $0.isSynchronised = true }
        try board.pass(.seconds(30))
        #expect(try board.ask("status", ["pet": "snowy"])["timer"]?["status"]?.string == "running")
        board.end()
    }

    @Test func aScheduleOfTheConfigComesAgain() throws {
        let board = try Board([
            "pets": [["id": "snowy"]],
            "schedules": [
                ["pet": "snowy", "calendar": "Sat 09:00", "name": "weekend"], ["pet": "snowy", "every": "10h"],
            ],
        ])
        #expect(try board.ask("summary")["schedules"]?.int == 2)
        try board.pass(.seconds(10 * 3600))
        #expect(board.events("finished").map { $0["schedule"]?.string } == ["cycle"])
        #expect(try board.instance.notification("Laundry Time!").key == "timer_snowy")
        try board.restart(after: .seconds(86_400), reboot: true)
        #expect(board.events("finished").map { $0["missed"]?.int } == [1])
        #expect(board.events("finished").first?["finished_at"]?.int == newYear + 30 * 3600 * second)
        let list = try board.ask("schedules")["schedules"]?.list ?? []
        #expect(list.map { $0["name"]?.string } == ["weekend", "cycle"])
        #expect(list.first?["next"]?.int == newYear + (48 + 9) * 3600 * second)
        _ = try board.ask("unschedule", ["pet": "snowy", "name": "cycle"])
        #expect(throws: (any Error).self) {
            try board.instance.apply(["schedules": [["pet": "snowy", "calendar": "Funday"]]])
        }
        #expect(throws: (any Error).self) {
            try board.instance.apply(["schedules": [["pet": "a", "every": "1h"], ["pet": "a", "every": "2h"]]])
        }
        board.end()
    }

    @Test func anotherConfigIsTakenOverWhileTimersRun() throws {
        let board = try Board()
        _ = try board.ask("start", wash)
        let change = try board.instance.apply([
            "pets": [["id": "snowy", "name": "Snow", "dry": "10min"], ["id": "fluffy"]], "snooze": "1min",
        ])
        board.instance.settle()
        #expect(change == .applied)
        #expect(try board.ask("status", ["pet": "snowy"])["name"]?.string == "Snow")
        #expect(try board.ask("status", ["pet": "snowy"])["timer"]?["remaining"]?.int == 45 * minute)
        #expect(try board.ask("pets")["count"]?.int == 2)
        #expect(throws: (any Error).self) { try board.instance.apply(["pets": [["id": "a"], ["id": "a"]]]) }
        #expect(throws: (any Error).self) { try board.instance.apply(["pets": [["id": "a b"]]]) }
        board.end()
    }

    @Test func refusalsSayWhatToDo() throws {
        let board = try Board()
        func text(_ command: String, _ parameters: Value) -> String {
            do {
                _ = try board.ask(command, parameters)
                return "no refusal"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            text("start", ["pet": "rex", "kind": "wash"])
                == "there is no pet \"rex\"; pets lists them, pet-add makes one")
        _ = try board.ask("start", wash)
        #expect(text("start", wash) == "snowy has a wash timer already, over in 2700 s; stop it first")
        #expect(text("resume", ["pet": "snowy"]) == "the timer of snowy is not paused")
        #expect(text("next", ["pet": "snowy"]) == "there is no next step for snowy: its wash timer is not over")
        #expect(text("snooze", ["pet": "snowy"]).hasPrefix("nothing of snowy is finished"))
        // And which parameter it was, where it was one.
        #expect(board.instance.fake.seen.rejectionParameters.values.sorted() == ["pet"])
        _ = text("acknowledge", ["timer": "rex"])
        _ = text("extend", ["pet": "snowy", "by": 0])
        _ = text("pet-add", ["id": "a b"])
        _ = text("unschedule", ["pet": "snowy", "name": "daily"])
        _ = text("schedule", ["pet": "snowy", "calendar": "Funday"])
        #expect(
            board.instance.fake.seen.rejectionParameters.values.sorted()
                == ["by", "calendar", "id", "name", "pet", "timer"])
        board.end()
    }
}
