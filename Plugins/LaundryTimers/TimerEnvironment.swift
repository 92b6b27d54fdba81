import CGLib
import Glibc

/// What the timers know of the machine. Tests bring a machine of their own.
package struct TimerEnvironment: Sendable {
    /// The same from one start of the machine to the next; empty where the kernel does not say.
    /// - Thread: worker.
    package var bootID: @Sendable () -> String
    /// Whether a time service has set the wall clock.
    /// - Thread: worker.
    package var isSynchronised: @Sendable () -> Bool
    /// The name of the machine's zone.
    /// - Thread: worker.
    package var zone: @Sendable () -> String
    /// SQLite's way to the disk; nil is its own.
    package var vfs: String?

    package init(
        bootID: @escaping @Sendable () -> String, isSynchronised: @escaping @Sendable () -> Bool,
        zone: @escaping @Sendable () -> String = { "UTC" }, vfs: String? = nil
    ) {
        self.zone = zone
        self.bootID = bootID
        self.isSynchronised = isSynchronised
        self.vfs = vfs
    }

    package static let machine = TimerEnvironment(
        bootID: { readLine("/proc/sys/kernel/random/boot_id") ?? "" },
        isSynchronised: {
            // systemd-timesyncd's own note; chrony and ntpd tell the kernel.
            access("/run/systemd/timesync/synchronized", F_OK) == 0 || mh_clock_is_synchronised() == 1
        }, zone: LocalZone.machineIdentifier)

    /// The first line of a small file.
    private static func readLine(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 > 0x20 }, as: UTF8.self)
    }
}
