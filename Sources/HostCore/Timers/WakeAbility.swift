internal import CGLib
internal import Glibc

/// Whether this process can have a machine that sleeps woken at a time.
public enum WakeAbility: Sendable, Equatable {
    case able
    /// No real-time clock has an alarm that may wake the machine.
    case noAlarm
    /// It has not `CAP_WAKE_ALARM`.
    case notPermitted

    /// What to say of it; nil where nothing is wrong.
    public var problem: String? {
        switch self {
        case .able: nil
        case .noAlarm: "cannot wake the machine: it has no real-time clock with an alarm that wakes it (/sys/class/rtc)"
        case .notPermitted:
            "cannot wake the machine: that needs CAP_WAKE_ALARM (AmbientCapabilities= of the unit, docs/systemd.md)"
        }
    }

    /// - Parameter folder: where the kernel lists real-time clocks. - Thread: worker, or main where it is rare.
    public static func machine(_ folder: String = "/sys/class/rtc") -> WakeAbility {
        guard hasAlarm(folder) else { return .noAlarm }
        let file = mh_timer_file_new(CLOCK_BOOTTIME_ALARM)
        guard file >= 0 else { return .notPermitted }
        close(file)
        return .able
    }

    /// The kernel's own conditions for the clock behind its alarms: `wakealarm` is there where the driver has an alarm, and the device
    /// may wake the machine (kernel/time/alarmtimer.c, alarmtimer_rtc_add_device).
    private static func hasAlarm(_ folder: String) -> Bool {
        guard let directory = opendir(folder) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix("rtc"), access("\(folder)/\(name)/wakealarm", F_OK) == 0 else { continue }
            if SmallFile.text("\(folder)/\(name)/device/power/wakeup") == "enabled" { return true }
        }
        return false
    }
}
