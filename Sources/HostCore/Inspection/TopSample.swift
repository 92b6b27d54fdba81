/// The numbers of `GET /metrics` at one moment, as far as `mediahost top` shows them.
struct TopSample: Sendable {
    struct Flow: Sendable, Equatable {
        var buffers = 0.0
        var bytes = 0.0
    }

    struct Pipeline: Sendable {
        var state = "?"
        /// Seconds.
        var processor = 0.0
        /// Seconds.
        var latency: Double?
        var dropped: Double?
        var restarts = 0.0
        /// By sink, pad of a muxer or live source, in their order.
        var places: [(name: String, flow: Flow)] = []
    }

    /// When it was taken, in seconds of a clock that nobody sets.
    let time: Double
    private(set) var pipelines: [(name: String, numbers: Pipeline)] = []
    private(set) var processor = 0.0
    private(set) var memory = 0.0
    /// Seconds since 1970.
    private(set) var started: Double?
    private(set) var reasons: [String] = []

    init(metrics text: String, at time: Double) {
        self.time = time
        for line in text.split(separator: "\n") where line.utf8.first != UInt8(ascii: "#") {
            guard let sample = Self.parse(line) else { continue }
            take(sample.name, sample.labels, sample.value)
        }
    }

    private mutating func take(_ name: String, _ labels: [String: String], _ value: Double) {
        switch name {
        case "process_cpu_seconds_total": processor = value
        case "process_resident_memory_bytes": memory = value
        case "mediahost_start_time_seconds": started = value
        case "mediahost_quiet": if value == 1, let reason = labels["reason"] { reasons.append(reason) }
        default:
            guard let name = Self.dropping("mediahost_pipeline_", name), let pipeline = labels["pipeline"] else {
                return
            }
            let index = pipelines.firstIndex { $0.name == pipeline } ?? pipelines.endIndex
            if index == pipelines.endIndex { pipelines.append((pipeline, Pipeline())) }
            pipelines[index].numbers.take(name, labels, value)
        }
    }

    private static func dropping(_ prefix: String, _ text: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// `name{label="value",...} number`
    private static func parse(_ line: Substring) -> (name: String, labels: [String: String], value: Double)? {
        let name = line.prefix { $0 != "{" && $0 != " " }
        var rest = line.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            while let first = rest.first, first != "}" {
                if first == "," { rest.removeFirst() }
                let key = rest.prefix { $0 != "=" }
                rest = rest.dropFirst(key.count + 2)
                var text = ""
                var isEscaped = false
                while let character = rest.popFirst() {
                    if isEscaped {
                        text.append(character == "n" ? "\n" : character)
                        isEscaped = false
                    } else if character == "\\" {
                        isEscaped = true
                    } else if character == "\"" {
                        break
                    } else {
                        text.append(character)
                    }
                }
                labels[String(key)] = text
            }
            guard rest.popFirst() == "}" else { return nil }
        }
        return Double(rest.drop { $0 == " " }.prefix { $0 != " " }).map { (String(name), labels, $0) }
    }
}

extension TopSample.Pipeline {
    fileprivate mutating func take(_ name: String, _ labels: [String: String], _ value: Double) {
        switch name {
        case "state": if value == 1 { state = labels["state"] ?? state }
        case "cpu_seconds_total": processor = value
        case "latency_seconds": latency = value
        case "dropped_total": dropped = (dropped ?? 0) + value
        case "restarts_total": restarts = value
        case "buffers_total": change(labels["place"]) { $0.buffers = value }
        case "bytes_total": change(labels["place"]) { $0.bytes = value }
        default: break
        }
    }

    private mutating func change(_ place: String?, _ change: (inout TopSample.Flow) -> Void) {
        guard let place else { return }
        let index = places.firstIndex { $0.name == place } ?? places.endIndex
        if index == places.endIndex { places.append((place, TopSample.Flow())) }
        change(&places[index].flow)
    }
}
