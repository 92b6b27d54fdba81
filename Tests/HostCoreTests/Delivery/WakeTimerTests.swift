import GStreamerKit
import Testing

@testable import HostCore

/// When systemd is asked to look again.
@Suite struct WakeTimerTests {
    private let now = ClockTime(nanoseconds: 1_767_225_600_500_000_000)

    private func calendar(_ end: ClockTime) -> String {
        let text = WakeTimer.properties(of: .at(end), now: now)
        return String(text.split(separator: "@").last?.prefix { $0.isNumber } ?? "")
    }

    /// systemd's calendar has seconds, and what is past when it is armed never comes.
    @Test func noMomentIsEarlyOrPast() {
        #expect(calendar(now + .seconds(60)) == "1767225661")
        #expect(calendar(ClockTime(nanoseconds: 1_767_225_660_000_000_000)) == "1767225660")
        #expect(calendar(now) == "1767225603")
        #expect(calendar(now - .seconds(1)) == "1767225603")
        // It was looked at then, and something went wrong.
        #expect(calendar(now - .seconds(61)) == "1767226201")
        #expect(calendar(.zero) == "1767226201")
    }

    @Test func aClockThatIsSetIsAnOccasion() {
        #expect(WakeTimer.properties(of: .at(now), now: now).contains("('OnClockChange', <true>)"))
        let waiting = WakeTimer.properties(of: .whenClockIsSet, now: now)
        #expect(waiting.contains("('OnClockChange', <true>)") && !waiting.contains("TimersCalendar"))
        #expect(waiting.contains("('TimersMonotonic', <[('OnActiveSec', uint64 600000000)]>)"))
    }

    @Test func whatFailedIsTriedAgain() {
        var report = DeliveryProcess.Report()
        #expect(report.moment(now: now) == nil)
        report.waitsForClock = true
        #expect(report.moment(now: now) == .whenClockIsSet)
        report.next = now + .seconds(3600)
        #expect(report.moment(now: now) == .at(now + .seconds(3600)))
        report.isIncomplete = true
        #expect(report.moment(now: now) == .at(now + .seconds(300)))
        report.next = now + .seconds(7)
        #expect(report.moment(now: now) == .at(now + .seconds(7)))
    }
}
