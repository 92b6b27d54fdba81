import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// From events of a device to presses.
@Suite struct KeyPressesTests {
    private static let up: UInt16 = 115
    private static let power: UInt16 = 116

    private struct Bench {
        var presses: KeyPresses
        var told: [String] = []

        init(_ change: (inout InputSettings) -> Void = { _ in }) {
            var settings = InputSettings("front")
            change(&settings)
            presses = KeyPresses(settings)
        }

        mutating func key(_ code: UInt16, _ isDown: Bool, at time: Int64) {
            handle(.key(code: code, isDown: isDown), at: time)
        }

        mutating func handle(_ kind: InputEvent.Kind, at time: Int64) {
            write(presses.handle(InputEvent(kind, at: .milliseconds(time))))
        }

        mutating func due(at time: Int64) { write(presses.due(at: .milliseconds(time))) }

        mutating func forget(at time: Int64) { write(presses.forget(at: .milliseconds(time))) }

        private mutating func write(_ notices: [KeyPresses.Notice]) {
            told += notices.map { "\($0.code) \($0.press.rawValue) \($0.held.nanoseconds / 1_000_000)" }
        }
    }

    @Test func aPressIsShortOrLongByItsLength() {
        var bench = Bench()
        for (length, name) in [(0, "short"), (599, "short"), (600, "long"), (1999, "long")] as [(Int64, String)] {
            bench.told = []
            bench.key(Self.up, true, at: 1000)
            bench.due(at: 1000 + length)
            bench.key(Self.up, false, at: 1000 + length)
            #expect(bench.told == ["115 down 0", "115 \(name) \(length)", "115 up \(length)"])
            #expect(bench.presses.nextDue == nil)
        }
    }

    @Test func aHoldIsToldOnceWhileItIsPressed() {
        var bench = Bench()
        bench.key(Self.up, true, at: 1000)
        #expect(bench.presses.nextDue == .milliseconds(3000))
        bench.due(at: 2999)
        bench.due(at: 3000)
        #expect(bench.presses.nextDue == nil)
        bench.due(at: 4000)
        bench.key(Self.up, false, at: 5000)
        #expect(bench.told == ["115 down 0", "115 hold 2000", "115 up 4000"])
    }

    /// The control thread was busy: the release is read before anybody looked at the time.
    @Test func aHoldThatNobodySawIsToldWithTheRelease() {
        var bench = Bench()
        bench.key(Self.up, true, at: 0)
        bench.key(Self.up, false, at: 2500)
        #expect(bench.told == ["115 down 0", "115 hold 2500", "115 up 2500"])
    }

    @Test func withoutAHoldALongPressEndsLong() {
        var bench = Bench { $0.hold = nil }
        bench.key(Self.up, true, at: 0)
        #expect(bench.presses.nextDue == nil)
        bench.due(at: 60_000)
        bench.key(Self.up, false, at: 60_000)
        #expect(bench.told == ["115 down 0", "115 long 60000", "115 up 60000"])
    }

    @Test func keysDoNotDisturbEachOther() {
        var bench = Bench()
        bench.key(Self.up, true, at: 0)
        bench.key(Self.power, true, at: 1500)
        #expect(bench.presses.nextDue == .milliseconds(2000))
        bench.due(at: 2000)
        #expect(bench.presses.nextDue == .milliseconds(3500))
        bench.key(Self.power, false, at: 2200)
        bench.key(Self.up, false, at: 2300)
        #expect(
            bench.told == [
                "115 down 0", "116 down 0", "115 hold 2000", "116 long 700", "116 up 700", "115 up 2300",
            ])
    }

    @Test func onlyKeysOfTheListAreTold() {
        var bench = Bench { $0.keys = [Self.power] }
        bench.key(Self.up, true, at: 0)
        bench.key(Self.power, true, at: 0)
        bench.key(Self.up, false, at: 1)
        #expect(bench.told == ["116 down 0"] && bench.presses.down == [Self.power])
    }

    @Test func whatComesTwiceOrWithoutItsCounterpartIsNothing() {
        var bench = Bench()
        bench.key(Self.up, false, at: 0)
        bench.key(Self.up, true, at: 1)
        bench.key(Self.up, true, at: 2)
        bench.key(Self.up, false, at: 3)
        bench.key(Self.up, false, at: 4)
        #expect(bench.told == ["115 down 0", "115 short 2", "115 up 2"])
    }

    @Test func lostEventsLeaveNoKeyDown() {
        var bench = Bench()
        bench.key(Self.power, true, at: 0)
        bench.key(Self.up, true, at: 10)
        bench.handle(.report, at: 10)
        bench.handle(.dropped, at: 100)
        // Half of a report whose other half is lost.
        bench.key(Self.up, false, at: 100)
        bench.key(Self.up, true, at: 100)
        bench.handle(.report, at: 100)
        #expect(bench.told == ["116 down 0", "115 down 0", "116 up 100", "115 up 90"])
        bench.told = []
        bench.key(Self.power, false, at: 200)
        bench.key(Self.up, true, at: 300)
        bench.key(Self.up, false, at: 400)
        #expect(bench.told == ["115 down 0", "115 short 100", "115 up 100"])
    }

    /// The first press of one that was lost in the middle of that was lost, too.
    @Test func aDeviceThatIsOpenedAnewHasLostNothing() {
        var bench = Bench()
        bench.handle(.dropped, at: 100)
        bench.presses.begin()
        bench.key(Self.up, true, at: 300)
        bench.key(Self.up, false, at: 400)
        #expect(bench.told == ["115 down 0", "115 short 100", "115 up 100"])
    }

    @Test func aDeviceThatGoesLeavesNoKeyDown() {
        var bench = Bench()
        bench.key(Self.up, true, at: 0)
        bench.due(at: 2000)
        bench.forget(at: 2500)
        bench.forget(at: 2600)
        #expect(bench.told == ["115 down 0", "115 hold 2000", "115 up 2500"])
    }

    /// Over random events: every down has its up, with exactly one of short, long and hold between them unless it was lost.
    @Test func everyPressIsToldWhole() {
        var campaign = Campaign(rounds: 20_000)
        var bench = Bench()
        var open: [UInt16: [KeyPresses.Press]] = [:]
        var now: Int64 = 0
        for _ in 0..<campaign.rounds {
            now += Int64.random(in: 0...900, using: &campaign)
            let code = UInt16.random(in: 1...4, using: &campaign)
            var notices: [KeyPresses.Notice] = []
            var isLoss = false
            let time = ClockTime.milliseconds(now)
            switch Int.random(in: 0..<20, using: &campaign) {
            case 0:
                isLoss = true
                notices = bench.presses.handle(InputEvent(.dropped, at: time))
            case 1...3: notices = bench.presses.handle(InputEvent(.report, at: time))
            case 4...8: notices = bench.presses.due(at: time)
            case 9...13: notices = bench.presses.handle(InputEvent(.key(code: code, isDown: true), at: time))
            default: notices = bench.presses.handle(InputEvent(.key(code: code, isDown: false), at: time))
            }
            for notice in notices {
                let before = open[notice.code]
                let isRight =
                    switch notice.press {
                    case .down: before == nil
                    case .short, .long, .hold: before == [.down]
                    case .up: before?.count == 2 || isLoss && before != nil
                    }
                #expect(isRight, "\(notice) after \(String(describing: before)); \(campaign.note)")
                open[notice.code] = notice.press == .up ? nil : (before ?? []) + [notice.press]
            }
            #expect(Set(open.keys) == Set(bench.presses.down), "\(campaign.note)")
        }
    }
}
