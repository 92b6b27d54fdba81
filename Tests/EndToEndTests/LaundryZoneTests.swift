import Foundation
import Testing

/// A time zone changes what a clock on the wall shows, and no timer: an elapsed one goes by time that passes, one of the wall clock
/// by a moment, which is the same everywhere.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: MadeUpMachine.isPossible, MadeUpMachine.missing),
    .enabled(
        if: FileManager.default.fileExists(atPath: "/etc/localtime"),
        "there is no /etc/localtime (Debian package tzdata)"))
struct LaundryZoneTests {
    private let place: Workplace

    init() async throws {
        place = try Workplace()
        try await MadeUpMachine.prepare(place)
    }

    /// A zone without rules, as tzfile(5) has it.
    private func writeZone(hoursEast: Int32, to name: String) throws {
        var bytes = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
        // Indicators of UTC and of standard time, leap seconds, transitions, types, characters of names.
        for count: Int32 in [0, 0, 0, 0, 1, 4] { withUnsafeBytes(of: count.bigEndian) { bytes += $0 } }
        withUnsafeBytes(of: (hoursEast * 3600).bigEndian) { bytes += $0 }
        bytes += [0, 0] + Array("MHT\0".utf8)
        // In place: a file that is mounted elsewhere stays the same one.
        if place.exists(name) {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path(name)))
            try file.write(contentsOf: bytes)
            try file.close()
        } else {
            try Data(bytes).write(to: URL(fileURLWithPath: place.path(name)))
        }
    }

    private var config: String {
        """
        mediahost: 1
        notifications: off
        plugins:
          laundry:
            module: LaundryTimers
            pets: [{ id: elapsed }, { id: wall }, { id: other }]
        rules:
          - when: org.mediahost.laundry-timers.finished
            exec: [sh, -c, 'date +%z >> \(place.path("zones.txt"))']
        """
    }

    private func withHost(
        on machine: MadeUpMachine, zone: String?, _ body: (MediahostProcess) async throws -> Void
    ) async throws {
        // Without TZ, /etc/localtime says it.
        let variables = ["XDG_STATE_HOME": place.path("state")].merging(zone.map { ["TZ": $0] } ?? [:]) { $1 }
        try await EndToEndTests.withHost(config, in: place, environment: variables, machine: machine) { host in
            try await host.log.next(containing: "mediahost 0.")
            try await body(host)
            // In order: what was told is noted, and not told again.
            try await host.terminate()
        }
    }

    /// Both timers' ends, which move by no more than the clocks' readings are apart.
    private func ends(_ host: MediahostProcess) async throws -> [String: Int] {
        let timers = try await host.answer("call", "laundry.list")["timers"].list
        return Dictionary(uniqueKeysWithValues: timers.map { ($0["pet"].string ?? "", $0["ends_at"].int ?? 0) })
    }

    private func start(_ host: MediahostProcess) async throws -> [String: Int] {
        for basis in ["elapsed", "wall"] {
            _ = try await host.answer("call", "laundry.start", "pet=\(basis)", "kind=wash", "basis=\(basis)")
        }
        let ends = try await ends(host)
        #expect(ends.count == 2)
        return ends
    }

    /// Which zone the host's programs see: that the change has come at all.
    private func awaitZones(_ zones: [String], _ host: MediahostProcess) async throws {
        _ = try await host.answer("call", "laundry.start", "pet=other", "kind=cycle", "duration=1ms")
        try await Deadline.poll("zones \(zones)") {
            place.lines("zones.txt") == zones ? true : nil
        }
    }

    private func expect(_ ends: [String: Int], near first: [String: Int]) {
        for (pet, end) in first {
            let moved = abs((ends[pet] ?? 0) - end)
            // A zone is hours. The two clocks are read one after the other, on a machine that may do something else in between.
            #expect(moved < 60_000_000_000, "the end of \(pet) moved by \(moved) ns")
        }
    }

    @Test func anotherZoneInTheEnvironmentMovesNoTimerOnMadeUpClocks() async throws {
        let machine = MadeUpMachine()
        var first: [String: Int] = [:]
        try await withHost(on: machine, zone: "MHT-5") { host in
            first = try await start(host)
            try await awaitZones(["+0500"], host)
        }
        try await withHost(on: machine, zone: "MHT8") { host in
            expect(try await ends(host), near: first)
            try await awaitZones(["+0500", "-0800"], host)
        }
        // Due in the one zone, told in the other.
        try await withHost(on: machine.later(.seconds(46 * 60)), zone: "MHT-14") { host in
            let list = try await host.answer("call", "laundry.list")
            let finished = list["finished"].list.filter { ["elapsed", "wall"].contains($0["pet"].string) }
            expect(
                Dictionary(uniqueKeysWithValues: finished.map { ($0["pet"].string ?? "", $0["finished_at"].int ?? 0) }),
                near: first)
            #expect(finished.allSatisfy { (60_000_000_000..<660_000_000_000).contains($0["late"].int ?? 0) })
        }
    }

    /// While the host runs, as where somebody travels with it.
    @Test func anotherLocalTimeMovesNoTimerOnMadeUpClocks() async throws {
        try writeZone(hoursEast: 3, to: "localtime")
        var machine = MadeUpMachine()
        machine.localTime = place.path("localtime")
        var first: [String: Int] = [:]
        try await withHost(on: machine, zone: nil) { host in
            first = try await start(host)
            try await awaitZones(["+0300"], host)
            try writeZone(hoursEast: -9, to: "localtime")
            try await awaitZones(["+0300", "-0900"], host)
            expect(try await ends(host), near: first)
        }
        try writeZone(hoursEast: 1, to: "localtime")
        try await withHost(on: machine, zone: nil) { host in
            expect(try await ends(host), near: first)
            try await awaitZones(["+0300", "-0900", "+0100"], host)
        }
    }
}
