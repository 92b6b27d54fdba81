import CGLib
import Glibc

/// The clock on the wall of where the board is, by GLib's zones.
///
/// Thread: worker, one call at a time.
final class LocalZone {
    private let zone: OpaquePointer
    /// By which a change of the machine's zone is noticed.
    let identifier: String

    /// - Parameter identifier: "Europe/Berlin", or a file with a change of it, as from `machineIdentifier`; what is none is UTC.
    init(_ identifier: String) {
        self.identifier = identifier
        zone = g_time_zone_new_identifier(Self.path(identifier)) ?? g_time_zone_new_utc()
    }

    deinit { g_time_zone_unref(zone) }

    /// What people call it.
    var name: String { Self.name(identifier) }

    /// GLib knows a zone by its name for as long as somebody holds it, also where its file has changed: each change is another way
    /// to the file, by slashes that mean nothing.
    private static func path(_ identifier: String) -> String {
        let name = name(identifier)
        guard name.hasPrefix("/"), name != identifier else { return name }
        // FNV-1a.
        var change: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in identifier.utf8 { change = (change ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return (0..<64).reduce("/") { $0 + (change >> UInt64($1) & 1 == 1 ? "./" : "/") } + name
    }

    /// Without what says when the file changed.
    private static func name(_ identifier: String) -> String {
        identifier.utf8.lastIndex(of: UInt8(ascii: "@")).map { String(identifier[..<$0]) } ?? identifier
    }

    /// The machine's: `TZ`, or what `/etc/localtime` points to. Where that is a file of its own, as on many boards, the file, with the
    /// moment of its last change.
    static func machineIdentifier() -> String {
        let name = getenv("TZ").map { String(cString: $0) } ?? ""
        return identifier(variable: name, file: "/etc/localtime")
    }

    static func identifier(variable: String, file: String) -> String {
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if !name.isEmpty { return name.hasPrefix("/") ? changing(name) ?? name : name }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = bytes.withUnsafeMutableBytes { memory in
            memory.baseAddress.map {
                readlink(file, $0.assumingMemoryBound(to: CChar.self), memory.count)
            } ?? -1
        }
        if count > 0 {
            let parts = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "/")
            if let root = parts.firstIndex(of: "zoneinfo"), root + 1 < parts.count {
                return parts[(root + 1)...].joined(separator: "/")
            }
        }
        return changing(file) ?? "UTC"
    }

    private static func changing(_ file: String) -> String? {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        return "\(file)@\(status.st_ino).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    /// What the clock on the wall shows, in seconds since 1970 there.
    func local(_ seconds: Int64) -> Int64 { seconds + offset(seconds) }

    private func offset(_ seconds: Int64) -> Int64 {
        Int64(g_time_zone_get_offset(zone, g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, gint64(seconds))))
    }

    /// When the clock on the wall shows that. A time that is left out in spring is the end of what is left out; of one that comes
    /// twice in autumn it is the first.
    func universal(_ local: Int64) -> Int64 {
        // By the time before a change and behind it. Which of them is summer time says nothing: in Dublin it is winter.
        let before = local - offset(local - CivilTime.day)
        let behind = local - offset(local + CivilTime.day)
        for moment in [min(before, behind), max(before, behind)] where self.local(moment) == local { return moment }
        var time = gint64(local)
        let interval = g_time_zone_adjust_time(zone, G_TIME_TYPE_DAYLIGHT, &time)
        return Int64(time) - Int64(g_time_zone_get_offset(zone, interval))
    }
}

extension CalendarRule {
    private static let second: Int64 = 1_000_000_000

    /// The last of its moments that is not behind another, both in nanoseconds since 1970 on the wall clock.
    func latest(by realtime: Int64, in zone: LocalZone) -> Int64? {
        let now = CivilTime.floorDivide(realtime, Self.second)
        // In autumn the clock on the wall has shown later times already.
        var local = max(zone.local(now), zone.local(now - CivilTime.day) + CivilTime.day)
        for _ in 0..<10_000 {
            guard let found = last(by: local) else { return nil }
            let moment = zone.universal(found)
            if moment <= now { return Self.nanoseconds(moment) }
            local = found - 1
        }
        return nil
    }

    /// The first of its moments behind another, likewise.
    func next(after realtime: Int64, in zone: LocalZone) -> Int64? {
        let after = CivilTime.floorDivide(realtime, Self.second)
        var local = zone.local(after)
        // In autumn the clock on the wall shows an hour twice, and what comes once may lie behind.
        for _ in 0..<10_000 {
            guard let found = next(after: local) else { return nil }
            let moment = zone.universal(found)
            if moment > after { return Self.nanoseconds(moment) }
            local = found
        }
        return nil
    }

    private static func nanoseconds(_ seconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: second)
        return overflow ? (seconds < 0 ? .min : .max) : product
    }
}
