/// Reads a rule as systemd.time(7) writes it.
extension CalendarRule {
    /// Why a text is none, with what would be one.
    struct Invalid: Error, Equatable {
        var message: String
    }

    private static let names: [Substring: String] = [
        "minutely": "*:*", "hourly": "*:00", "daily": "00:00", "weekly": "Mon 00:00", "monthly": "*-*-01 00:00",
        "yearly": "*-01-01 00:00", "annually": "*-01-01 00:00",
    ]
    private static let weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longest = 128

    init(_ text: String) throws(Invalid) {
        guard text.utf8.count <= Self.longest else {
            throw Invalid(message: "a calendar rule is no longer than 128 bytes")
        }
        self.init(text: text)
        var parts = text.lowercased().split(separator: " ")
        if let only = parts.first, parts.count == 1, let meant = Self.names[only] {
            parts = meant.lowercased().split(separator: " ")
        }
        guard !parts.isEmpty else { throw invalid("it is empty") }
        if let first = parts.first, first.first?.isLetter == true {
            weekdays = try weekdays(first)
            parts.removeFirst()
        }
        if let first = parts.first, first.contains("-") {
            try readDate(first)
            parts.removeFirst()
        }
        if let first = parts.first {
            try readTime(first)
            parts.removeFirst()
        }
        if let rest = parts.first { throw invalid("\"\(rest)\" is too much") }
        guard next(after: 0) != nil || !years.isEmpty else { throw invalid("there is no such date") }
    }

    private func invalid(_ why: String) -> Invalid {
        Invalid(
            message:
                "\"\(text)\" is no calendar rule: \(why); write it as `Sat 09:00`, `Mon..Fri 07:30` or `*-*-01 08:00`")
    }

    private func weekdays(_ part: Substring) throws(Invalid) -> UInt64 {
        var bits: UInt64 = 0
        for item in part.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = item.split(separator: ".", omittingEmptySubsequences: true)
            guard let first = ends.first.flatMap(Self.weekday),
                let last = ends.count == 1 ? first : ends.last.flatMap(Self.weekday), ends.count <= 2,
                Self.isRange(item) == (ends.count == 2)
            else { throw invalid("\"\(item)\" is no day of the week, nor days like mon..fri") }
            // Sat..Mon goes over the end of the week.
            var day = first
            while true {
                bits |= 1 << UInt64(day)
                if day == last { break }
                day = (day + 1) % 7
            }
        }
        return bits
    }

    /// Without Foundation nobody looks for a text in a text.
    private static func isRange(_ text: Substring) -> Bool {
        zip(text, text.dropFirst()).contains { $0 == "." && $1 == "." }
    }

    /// "mon" or "monday".
    private static func weekday(_ text: Substring) -> Int? {
        let long = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return weekdayNames.firstIndex { $0 == text } ?? long.firstIndex { $0 == text }
    }

    private mutating func readDate(_ part: Substring) throws(Invalid) {
        var fields = part.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count) else { throw invalid("\"\(part)\" is no date like 2027-05-01 or *-05-01") }
        if fields.count == 3 {
            let year = fields.removeFirst()
            if year != "*" {
                for item in year.split(separator: ",", omittingEmptySubsequences: false) {
                    guard let number = Int64(item), (1970...2999).contains(number) else {
                        throw invalid("\"\(item)\" is no year")
                    }
                    years.insert(number)
                }
            }
        }
        months = try values(fields[0], 1, 12, "month")
        days = try values(fields[1], 1, 31, "day")
    }

    private mutating func readTime(_ part: Substring) throws(Invalid) {
        let fields = part.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count) else { throw invalid("\"\(part)\" is no time like 09:00") }
        hours = try values(fields[0], 0, 23, "hour")
        minutes = try values(fields[1], 0, 59, "minute")
        seconds = fields.count == 3 ? try values(fields[2], 0, 59, "second") : 1
    }

    /// `7`, `7,19`, `8..18`, `*`, each with a step: `*/2`, `8..18/2`, `10/15`.
    private func values(_ part: Substring, _ least: Int, _ most: Int, _ what: String) throws(Invalid) -> UInt64 {
        var bits: UInt64 = 0
        for item in part.split(separator: ",", omittingEmptySubsequences: false) {
            let wrong = invalid("\"\(item)\" is no \(what) (\(least) to \(most))")
            let halves = item.split(separator: "/", omittingEmptySubsequences: false)
            guard let range = halves.first, halves.count <= 2 else { throw wrong }
            var step = 1
            if halves.count == 2 {
                guard let number = Int(halves[1]), number > 0 else { throw wrong }
                step = number
            }
            var (first, last) = (least, most)
            if range != "*" {
                let ends = range.split(separator: ".", omittingEmptySubsequences: true)
                guard ends.count <= 2, Self.isRange(range) == (ends.count == 2),
                    let begin = ends.first.flatMap({ Int($0) })
                else { throw wrong }
                first = begin
                if ends.count == 2 {
                    guard let end = Int(ends[1]) else { throw wrong }
                    last = end
                } else if halves.count == 1 {
                    last = begin
                }
            }
            guard first >= least, last <= most, first <= last else { throw wrong }
            for value in stride(from: first, through: last, by: step) { bits |= 1 << UInt64(value) }
        }
        return bits
    }
}
