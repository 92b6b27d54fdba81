/// Times of the host's log, which has the time of the day in UTC only: milliseconds since midnight.
enum LogTime {
    private static let day = 86_400_000.0

    /// "12:34:56.789 ..."; nil for another line.
    static func ofDay(_ line: Substring) -> Double? {
        let parts = line.prefix { $0 != " " }.split(separator: ":").compactMap { Double($0) }
        return parts.count == 3 ? ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 : nil
    }

    /// - Parameter realtime: nanoseconds of CLOCK_REALTIME.
    static func ofDay(_ realtime: Int64) -> Double { (Double(realtime) / 1e6).truncatingRemainder(dividingBy: day) }

    /// Over midnight, too.
    static func distance(from earlier: Double, to later: Double) -> Double {
        let distance = later - earlier
        return distance < -day / 2 ? distance + day : distance
    }
}
