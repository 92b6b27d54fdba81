import CGLib
import Foundation
import Glibc
import Testing

@testable import HostCore

/// Machines whose real-time clocks are made up.
@Suite struct WakeAbilityTests {
    private let sys: TemporaryDirectory

    init() throws { sys = try TemporaryDirectory() }

    /// - Parameter wakeup: nil: the device has no such file.
    private func add(_ name: String, hasAlarm: Bool, wakeup: String?) throws {
        let folder = sys.path("\(name)/device/power")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if hasAlarm { try Data("\n".utf8).write(to: URL(fileURLWithPath: sys.path("\(name)/wakealarm"))) }
        if let wakeup { try Data("\(wakeup)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/wakeup")) }
    }

    @Test func aClockWithAnAlarmThatMayWakeIsNeeded() throws {
        #expect(WakeAbility.machine(sys.path("nothing")) == .noAlarm)
        #expect(WakeAbility.machine(sys.path("")) == .noAlarm)
        try add("rtc0", hasAlarm: false, wakeup: "enabled")
        try add("rtc1", hasAlarm: true, wakeup: "disabled")
        try add("rtc2", hasAlarm: true, wakeup: nil)
        try add("other", hasAlarm: true, wakeup: "enabled")
        #expect(WakeAbility.machine(sys.path("")) == .noAlarm)
        try add("rtc3", hasAlarm: true, wakeup: "enabled")
        // What the kernel says of this process.
        let file = mh_timer_file_new(CLOCK_BOOTTIME_ALARM)
        defer { if file >= 0 { close(file) } }
        #expect(WakeAbility.machine(sys.path("")) == (file >= 0 ? .able : .notPermitted))
    }

    @Test func whatIsWrongIsSaidWithTheFix() {
        #expect(WakeAbility.able.problem == nil)
        #expect(WakeAbility.noAlarm.problem?.contains("/sys/class/rtc") == true)
        #expect(WakeAbility.notPermitted.problem?.contains("AmbientCapabilities=") == true)
    }
}
