/// The picture of `mediahost top`: what changed between two answers of `GET /metrics`.
///
/// ```swift
/// var screen = TopScreen()
/// screen.feed(try client.metrics(), at: seconds)
/// ```
/// - Thread: any, one at a time.
public struct TopScreen: Sendable {
    private var sample: TopSample?
    private var before: TopSample?

    public init() {}

    /// - Parameters:
    ///   - metrics: the answer.
    ///   - time: when it came, in seconds of a clock that nobody sets.
    public mutating func feed(_ metrics: String, at time: Double) {
        before = sample
        sample = TopSample(metrics: metrics, at: time)
    }

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - columns: how wide the terminal is; nil: nothing is cut.
    ///   - rows: how high it is.
    public func lines(now: Double, columns: Int? = nil, rows: Int? = nil, hasColours: Bool = false) -> [String] {
        guard let sample else { return [] }
        var lines = TextTable.lines([host(sample, now)], columns: columns, hasColours: hasColours)
        lines.append("")
        if sample.pipelines.isEmpty {
            lines.append("there are no pipelines")
        } else {
            let table = [Self.head] + sample.pipelines.flatMap { self.rows(of: $0.name, $0.numbers) }
            lines += TextTable.lines(table, columns: columns, hasColours: hasColours)
        }
        guard let rows, lines.count > rows, rows > 1 else { return lines }
        return lines.prefix(rows - 1) + ["… \(lines.count - rows + 1) more lines"]
    }

    private func host(_ sample: TopSample, _ now: Double) -> [TextTable.Cell] {
        let isRunning = sample.reasons.isEmpty
        let uptime = sample.started.map {
            TimeText.long(nanoseconds: Int64(max(min(now - $0, 1e9), 0)) * 1_000_000_000)
        }
        return [
            TextTable.Cell("mediahost", .heading),
            TextTable.Cell(
                isRunning ? "running" : sample.reasons.joined(separator: ", "), isRunning ? .good : .warning),
            TextTable.Cell("up \(uptime ?? "?")"),
            TextTable.Cell("CPU \(Self.percent(rate(sample.processor, before?.processor)))"),
            TextTable.Cell("memory \(Self.fixed(sample.memory / 1_048_576, 1)) MiB"),
        ]
    }

    private static let head =
        [TextTable.Cell("PIPELINE", .heading), TextTable.Cell("STATE", .heading)]
        + ["FRAMES/S", "KBIT/S", "CPU", "DROPS", "LATENCY", "RESTARTS"].map {
            TextTable.Cell($0, .heading, isNumber: true)
        }

    /// A line for the pipeline, and where data is counted at several places one for each: what a source gives and what comes
    /// to a sink are no sum.
    private func rows(of name: String, _ pipeline: TopSample.Pipeline) -> [[TextTable.Cell]] {
        let old = before?.pipelines.first { $0.name == name }?.numbers
        let flows = pipeline.places.map { place in
            let past = old?.places.first { $0.name == place.name }?.flow
            return (
                name: place.name, frames: rate(place.flow.buffers, past?.buffers),
                bytes: rate(place.flow.bytes, past?.bytes)
            )
        }
        let only = flows.count == 1 ? flows.first : nil
        func number(_ text: String, _ style: TextStyle = .plain) -> TextTable.Cell {
            TextTable.Cell(text, style, isNumber: true)
        }
        let health = PipelineCondition(rawValue: pipeline.state)?.health ?? "?"
        let row = [
            TextTable.Cell(name), TextTable.Cell(pipeline.state, .of(health: health)),
            number(only.map { Self.text($0.frames, 1) } ?? ""), number(only.map { Self.kilobits($0.bytes) } ?? ""),
            number(Self.percent(rate(pipeline.processor, old?.processor))),
            number(pipeline.dropped.map { Self.fixed($0, 0) } ?? "-", (pipeline.dropped ?? 0) > 0 ? .warning : .plain),
            number(pipeline.latency.map { Self.fixed($0 * 1000, 1) + " ms" } ?? "-"),
            number(Self.fixed(pipeline.restarts, 0), pipeline.restarts > 0 ? .warning : .plain),
        ]
        guard flows.count > 1 else { return [row] }
        return [row]
            + flows.map { flow in
                [
                    TextTable.Cell("  \(flow.name)", .faint), TextTable.Cell(""), number(Self.text(flow.frames, 1)),
                    number(Self.kilobits(flow.bytes)),
                ]
            }
    }

    // MARK: Numbers

    /// In a second; nil where there is nothing to compare with, or the host began anew.
    private func rate(_ value: Double, _ past: Double?) -> Double? {
        guard let past, let sample, let before, sample.time > before.time, value >= past else { return nil }
        return (value - past) / (sample.time - before.time)
    }

    private static func percent(_ share: Double?) -> String { share.map { fixed($0 * 100, 1) + " %" } ?? "-" }
    private static func kilobits(_ bytes: Double?) -> String { text(bytes.map { $0 * 8 / 1000 }, 0) }
    private static func text(_ value: Double?, _ digits: Int) -> String { value.map { fixed($0, digits) } ?? "-" }

    /// With no digit or one behind the point.
    private static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "?" }
        guard digits > 0 else { return "\(Int64(value.rounded()))" }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths.magnitude % 10)"
    }
}
