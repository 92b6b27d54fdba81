internal import CGLib

/// The answer of a plugin's command as people like to read it, where its schema says how: lists with `x-columns` are tables, numbers
/// with a format are times, spans, sizes and bars.
///
/// - Thread: any.
public struct AnswerTable: Sendable {
    private let answer: Value
    private let properties: [Value.Member]

    /// - Parameters:
    ///   - answer: the result of a command.
    ///   - schema: its JSON Schema, as `GET /v1/commands` has it. Nil comes out where that has no table.
    public init?(_ answer: Value, schema: Value?) {
        guard Self.isDeclared(by: schema) else { return nil }
        self.answer = answer
        properties = schema?["properties"]?.members ?? []
    }

    /// Whether answers of this schema have a table. A command that declares one shows something, and may be asked again and again.
    public static func isDeclared(by schema: Value?) -> Bool {
        schema?["properties"]?.members?.contains { columns(of: $0.value) != nil } == true
    }

    /// - Parameters:
    ///   - columns: how wide the terminal is; nil: nothing is cut.
    ///   - hasColours: whether there are colours.
    public func lines(columns: Int?, hasColours: Bool) -> [String] {
        var lines: [String] = []
        // What is not there is no figure.
        let plain = properties.filter {
            Self.columns(of: $0.value) == nil && $0.value["type"]?.string != "array" && answer[$0.key] ?? .null != .null
        }
        if !plain.isEmpty {
            let words = plain.map { "\(Self.title($0.key)) \(Self.text(answer[$0.key], $0.value).text)" }
            let line = TextWidth.printable(words.joined(separator: "   "))
            lines.append(columns.map { TextWidth.fitted(line, to: $0) } ?? line)
        }
        for property in properties {
            guard let keys = Self.columns(of: property.value) else { continue }
            let items = answer[property.key]?.list ?? []
            if !lines.isEmpty { lines.append("") }
            guard !items.isEmpty else {
                lines.append("\(Self.title(property.key)): none")
                continue
            }
            let rules = property.value["items"]?["properties"]
            var rows = [keys.map { TextTable.Cell(Self.title($0).uppercased(), .heading) }]
            rows += items.map { item in keys.map { Self.text(item[$0], rules?[$0]) } }
            lines.append(Self.title(property.key))
            lines += TextTable.lines(rows, columns: columns, hasColours: hasColours)
        }
        return lines
    }

    private static func columns(of schema: Value) -> [String]? {
        schema["x-columns"]?.list.map { $0.compactMap(\.string) }
    }

    /// Keys have underscores or dashes between their words.
    private static func title(_ key: String) -> String {
        String(decoding: key.utf8.map { "_-".utf8.contains($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    private static func text(_ value: Value?, _ schema: Value?) -> TextTable.Cell {
        switch (value ?? .null, schema?["format"]?.string) {
        case (.null, _): TextTable.Cell("-", .faint)
        case (.int(let number), "duration"): TextTable.Cell(TimeText.long(nanoseconds: number), isNumber: true)
        case (.int(let number), "size"): TextTable.Cell(Quantity.sizeText(number), isNumber: true)
        case (.int(let number), "time"), (.int(let number), "end-time"): TextTable.Cell(moment(number))
        case (.double(let fraction), "progress"): TextTable.Cell(bar(fraction))
        case (.int(let number), "progress"): TextTable.Cell(bar(Double(number)))
        case (.int(let number), _): TextTable.Cell("\(number)", isNumber: true)
        case (.double(let number), _): TextTable.Cell("\(number)", isNumber: true)
        case (.bool(let flag), _): TextTable.Cell(flag ? "yes" : "no")
        case (.string(let text), _): TextTable.Cell(text)
        case (let other, _): TextTable.Cell(JSONText.render(other))
        }
    }

    /// `[######--------------]  30 %`
    static func bar(_ fraction: Double) -> String {
        let width = 20
        let part = fraction.isFinite ? min(max(fraction, 0), 1) : 0
        let done = Int(part * Double(width))
        let percent = "\(Int(part * 100))"
        return "[" + String(repeating: "#", count: done) + String(repeating: "-", count: width - done) + "] "
            + String(repeating: " ", count: max(0, 3 - percent.utf8.count)) + "\(percent) %"
    }

    /// Where the reader is: the time of a day, with its date where that is another day.
    static func moment(_ nanoseconds: Int64) -> String {
        guard let date = g_date_time_new_from_unix_local(Int(nanoseconds / 1_000_000_000)),
            let now = g_date_time_new_now_local()
        else { return "-" }
        defer {
            g_date_time_unref(date)
            g_date_time_unref(now)
        }
        let isToday =
            g_date_time_get_year(date) == g_date_time_get_year(now)
            && g_date_time_get_day_of_year(date) == g_date_time_get_day_of_year(now)
        guard let text = g_date_time_format(date, isToday ? "%H:%M:%S" : "%Y-%m-%d %H:%M") else { return "-" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
