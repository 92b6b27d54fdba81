/// The status of a host as its user likes to read it: the host, its pipelines, its plugins.
///
/// - Thread: any.
public struct StatusTable: Sendable {
    private let status: Value
    private let pipelines: [Value]

    /// - Parameters:
    ///   - status: the answer of `GET /v1/status`.
    ///   - pipelines: the list of `GET /v1/pipelines`, which knows their positions.
    public init(status: Value, pipelines: Value) {
        self.status = status
        self.pipelines = pipelines.list ?? []
    }

    /// - Parameters:
    ///   - columns: how wide the terminal is; nil: nothing is cut.
    ///   - hasColours: whether there are colours.
    public func lines(columns: Int?, hasColours: Bool) -> [String] {
        func table(_ rows: [[TextTable.Cell]]) -> [String] {
            TextTable.lines(rows, columns: columns, hasColours: hasColours)
        }
        var lines = table(hostRows)
        lines.append("")
        lines += pipelines.isEmpty ? ["there are no pipelines"] : table(pipelineRows)
        let plugins = pluginRows
        if plugins.count > 1 { lines += [""] + table(plugins) }
        return lines
    }

    // MARK: The host

    private var hostRows: [[TextTable.Cell]] {
        let lifecycle = status["lifecycle"]
        let state = lifecycle?["state"]?.string ?? "?"
        var words = [state]
        let reasons = Self.texts(lifecycle?["desired"]).filter { $0 != state }
        if !reasons.isEmpty { words.append("(\(reasons.joined(separator: ", ")))") }
        let interrupters = Self.texts(lifecycle?["interrupters"])
        if !interrupters.isEmpty { words.append("by \(interrupters.joined(separator: ", "))") }
        if status["safe_mode"]?.bool == true { words.append("in safe mode") }
        let isWell = state == "running" && status["safe_mode"]?.bool != true
        return [
            [
                TextTable.Cell("mediahost", .heading),
                TextTable.Cell(words.joined(separator: " "), isWell ? .good : .warning),
            ],
            [TextTable.Cell("up", .faint), TextTable.Cell(uptime)],
            [TextTable.Cell("config", .faint), TextTable.Cell(configuration)],
        ]
    }

    private var uptime: String {
        let time = (status["uptime_ns"]?.int).map(TimeText.long(nanoseconds:)) ?? "?"
        return "\(time), version \(status["version"]?.string ?? "?")"
    }

    private var configuration: String {
        let value = status["configuration"]
        let reloads = value?["reloads"]?.int ?? 0
        let last = value?["last_reload"]?.string.map { ", the last one: \($0)" } ?? ""
        let history = reloads == 0 && last.isEmpty ? "" : ", reloaded \(reloads) time\(reloads == 1 ? "" : "s")\(last)"
        return (value?["file"]?.string ?? "none") + history
    }

    // MARK: What it runs

    private var pipelineRows: [[TextTable.Cell]] {
        let names = ["PIPELINE", "STATE", "HEALTH", "RESTARTS", "POSITION", "WHY"]
        return [names.map { TextTable.Cell($0, .heading, isNumber: ["RESTARTS", "POSITION"].contains($0)) }]
            + pipelines.map { row in
                let health = row["health"]?.string ?? "?"
                let style = TextStyle.of(health: health)
                let position = (row["position_ns"]?.int).map(TimeText.position(nanoseconds:)) ?? "-"
                let restarts = row["restarts"]?.int ?? 0
                return [
                    TextTable.Cell(row["name"]?.string ?? "?"), TextTable.Cell(row["state"]?.string ?? "?", style),
                    TextTable.Cell(health, style),
                    TextTable.Cell("\(restarts)", restarts > 0 ? .warning : .plain, isNumber: true),
                    TextTable.Cell(position, isNumber: true),
                    TextTable.Cell(row["reason"]?["text"]?.string ?? "", health == "bad" ? .plain : .faint),
                ]
            }
    }

    private var pluginRows: [[TextTable.Cell]] {
        [[TextTable.Cell("PLUGIN", .heading), TextTable.Cell("STATE", .heading), TextTable.Cell("WHAT", .heading)]]
            + (status["plugins"]?.members ?? []).map { member in
                let state = member.value["state"]?.string ?? "?"
                let style: TextStyle = state == "active" ? .good : state == "failed" ? .bad : .warning
                return [TextTable.Cell(member.key), TextTable.Cell(state, style), Self.what(member.value)]
            }
    }

    /// Why it does not run, or what it is.
    private static func what(_ plugin: Value) -> TextTable.Cell {
        if let message = plugin["message"]?.string { return TextTable.Cell(message) }
        let restarts = plugin["restarts"]?.int ?? 0
        let history = restarts > 0 ? ", restarted \(restarts) time\(restarts == 1 ? "" : "s")" : ""
        return TextTable.Cell(
            "\(plugin["id"]?.string ?? "?") \(plugin["version"]?.string ?? "")\(history)",
            restarts > 0 ? .warning : .faint)
    }

    private static func texts(_ list: Value?) -> [String] { (list?.list ?? []).compactMap(\.string) }
}
