import Foundation
import Glibc
import Testing

/// What a host sees of its machine: the boot, the boottime and the wall clock are those of a test.
///
/// The boottime is that of a time namespace, the boot's id and the time service's note lie over the machine's own in a mount
/// namespace, and libfaketime moves the wall clock (Fixtures/made-up-clocks.c says what it must leave alone). Nothing outside of
/// the host's process is changed.
struct MadeUpMachine: Sendable {
    /// Any text; another one is another start of the machine.
    var boot = "the-first-boot"
    /// Added to what the machine's own clock shows. It must not become negative.
    var boottime = Duration.zero
    /// Added to what the machine's own clock shows.
    var wall = Duration.zero
    /// Whether a time service has set the wall clock.
    var isSynchronised = true
    /// A file that is /etc/localtime.
    var localTime: String?

    /// The machine was on, or asleep, for so much longer than it was.
    func later(_ span: Duration) -> MadeUpMachine {
        var machine = self
        machine.boottime += span
        machine.wall += span
        return machine
    }

    /// Somebody has set the wall clock.
    func wallClockSet(by span: Duration) -> MadeUpMachine {
        var machine = self
        machine.wall += span
        return machine
    }

    /// It was off for a while, and its wall clock has gone on; its boottime is 20 s.
    func rebooted(after span: Duration) -> MadeUpMachine {
        var machine = self
        machine.boot = "after-\(machine.boot)"
        machine.wall += span
        machine.boottime = .seconds(20) - Self.ownBoottime
        return machine
    }

    /// Nobody has set the clock since.
    var unsynchronised: MadeUpMachine {
        var machine = self
        machine.isSynchronised = false
        return machine
    }

    private static var ownBoottime: Duration {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return .seconds(now.tv_sec)
    }

    // MARK: A host on it

    /// The words before a program's own. The program becomes the process that they start.
    func words(in place: Workplace) throws -> [String] {
        guard let unshare = Self.namespaces, let library = Self.library else {
            throw LineLog.Missing(description: Self.missing.rawValue)
        }
        try setWallClock(in: place)
        let id = try place.write(boot + "\n", to: "boot-id-\(boot)")
        let zone = localTime.map { "unset TZ && mount --bind \($0) /etc/localtime" } ?? ":"
        let service = "mkdir -p /run/systemd/timesync && : > /run/systemd/timesync/synchronized"
        return unshare + ["--boottime", "\(boottime.components.seconds)", "--"] + [
            "sh", "-c",
            """
            mount --bind "$1" /proc/sys/kernel/random/boot_id && mount -t tmpfs none /run &&
            { \(isSynchronised ? service : ":"); } && \(zone) && preload=$2 && export FAKETIME_TIMESTAMP_FILE="$3" && shift 3 &&
            export FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 && exec env LD_PRELOAD="$preload" "$@"
            """, "sh", id, "\(place.path("made-up-clocks.so")):\(library)", Self.clockFile(in: place),
        ]
    }

    /// The shim that libfaketime needs, compiled.
    static func prepare(_ place: Workplace) async throws {
        try await Tool.require(
            "cc",
            [
                "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-o", place.path("made-up-clocks.so"),
                "\(Workplace.fixtures)/made-up-clocks.c",
            ], in: place.directory)
    }

    /// The wall clock of the host that runs in `place` shows this one's from now on. The kernel knows nothing of it, so nobody
    /// is told that the clock was set.
    func setWallClock(in place: Workplace) throws {
        let seconds = wall.components.seconds
        try place.write("\(seconds < 0 ? "" : "+")\(seconds)", to: "wall-clock")
    }

    private static func clockFile(in place: Workplace) -> String { place.path("wall-clock") }

    // MARK: What it needs

    static let isPossible = library != nil && namespaces != nil && MockLogind.isThere && sanitizers.isEmpty

    /// What is not there, and how to get it.
    static var missing: Comment {
        let reasons = [
            sanitizers.isEmpty
                ? nil
                : "under a sanitizer, which takes the calls that libfaketime takes: run `make test` without SANITIZE",
            library == nil
                ? "libfaketime is not installed (Debian package faketime; `make bootstrap` installs it)" : nil,
            namespaces == nil
                ? "no time and mount namespaces: run as root, or allow those of users (sysctl kernel.unprivileged_userns_clone=1 "
                    + "user.max_user_namespaces=1000 user.max_time_namespaces=1000; in a container: --privileged)"
                : nil,
            MockLogind.isThere ? nil : "dbus-daemon and python3-dbusmock (Debian packages) are not installed",
        ]
        return Comment(rawValue: reasons.compactMap { $0 }.joined(separator: "; "))
    }

    private static let sanitizers = ["ASAN_OPTIONS", "TSAN_OPTIONS"].filter {
        ProcessInfo.processInfo.environment[$0] != nil
    }

    /// The one for programs with threads.
    private static let library: String? = {
        let places = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return (places.map { "/usr/lib/\($0)/faketime" } + ["/usr/lib/faketime", "/usr/local/lib/faketime"])
            .map { "\($0)/libfaketimeMT.so.1" }.first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// As root, else as a user who is one in a namespace; tried, because many things may forbid it.
    private static let namespaces: [String]? = [[], ["--user", "--map-current-user", "--keep-caps"]].lazy
        .map { ["unshare"] + $0 + ["--mount", "--time"] }
        .first { words in
            let probe =
                "mount --bind /dev/null /proc/sys/kernel/random/boot_id && mount -t tmpfs none /run && cat /proc/uptime"
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = words + ["--boottime", "1000000000", "--", "sh", "-c", probe]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            let text = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return process.terminationStatus == 0
                && (Double(String(decoding: text, as: UTF8.self).split(separator: " ").first ?? "") ?? 0) > 1e9
        }
}
