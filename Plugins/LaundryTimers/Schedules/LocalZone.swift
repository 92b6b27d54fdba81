import CGLib
import Glibc

/// The clock on the wall of where the board is, by GLib's zones.
///
/// Thread: worker, one call at a time.
final class LocalZone {
    private let zone: OpaquePointer
    /// By which a change of the machine's zone is noticed.
    let identifier: String

    /// - Parameter identifier: "Europe/Berlin"; what is none is UTC.
    init(_ identifier: String) {
        self.identifier = identifier
        zone = g_time_zone_new_identifier(identifier) ?? g_time_zone_new_utc()
    }

    deinit { g_time_zone_unref(zone) }

    /// The machine's: `TZ`, or what `/etc/localtime` points to.
    static func machineIdentifier() -> String {
        if let name = getenv("TZ").map({ String(cString: $0) }), !name.isEmpty {
            return name.hasPrefix(":") ? String(name.dropFirst()) : name
        }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = bytes.withUnsafeMutableBytes { memory in
            memory.baseAddress.map {
                readlink("/etc/localtime", $0.assumingMemoryBound(to: CChar.self), memory.count)
            } ?? -1
        }
        guard count > 0 else { return "UTC" }
        let parts = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "/")
        guard let root = parts.firstIndex(of: "zoneinfo"), root + 1 < parts.count else { return "UTC" }
        return parts[(root + 1)...].joined(separator: "/")
    }

    /// What the clock on the wall shows, in seconds since 1970 there.
    func local(_ seconds: Int64) -> Int64 {
        let interval = g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, gint64(seconds))
        return seconds + Int64(g_time_zone_get_offset(zone, interval))
    }

    /// When the clock on the wall shows that. A time that is left out in spring is the end of what is left out; of one that comes
    /// twice in autumn it is the first.
    func universal(_ local: Int64) -> Int64 {
        var time = gint64(local)
        let interval = g_time_zone_adjust_time(zone, G_TIME_TYPE_DAYLIGHT, &time)
        return Int64(time) - Int64(g_time_zone_get_offset(zone, interval))
    }
}

extension CalendarRule {
    /// The last of its moments that is not behind another, if there was one in ten years. Looks from near to far, so that it never
    /// walks over many of them.
    func latest(by realtime: Int64, in zone: LocalZone) -> Int64? {
        let (minute, day): (Int64, Int64) = (60_000_000_000, 86_400_000_000_000)
        for span in [minute, 60 * minute, day, 32 * day, 366 * day, 3660 * day] {
            guard var latest = next(after: realtime.subtractingClamped(span), in: zone), latest <= realtime else {
                continue
            }
            while let later = next(after: latest, in: zone), later <= realtime { latest = later }
            return latest
        }
        return nil
    }

    /// The first of its moments behind another, both in nanoseconds since 1970 on the wall clock.
    func next(after realtime: Int64, in zone: LocalZone) -> Int64? {
        let second: Int64 = 1_000_000_000
        let after = CivilTime.floorDivide(realtime, second)
        var local = zone.local(after)
        // In autumn the clock on the wall shows an hour twice, and what comes once may lie behind.
        for _ in 0..<10_000 {
            guard let found = next(after: local) else { return nil }
            let moment = zone.universal(found)
            if moment > after { return moment.multipliedReportingOverflow(by: second).partialValue }
            local = found
        }
        return nil
    }
}
