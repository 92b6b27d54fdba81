internal import GStreamerKit

/// What a list of pipelines shows of one, and what there is to know of one.
extension PipelineController {
    /// How long it may take to tell of itself before that is left out.
    private static let detailsDeadline = ClockTime.seconds(2)

    var overview: [Value.Member] {
        let members: [Value.Member] = [
            .init("name", .string(name)), .init("state", .string(condition.rawValue)),
            .init("health", .string(condition.health)),
            .init("reason", ["code": .string(reason.code), "text": .string(reason.text)]),
            .init("since_ns", .int((clock.monotonic() - since).nanoseconds)),
            .init("restarts", .int(Int64(restarts))), .init("mode", .string(mode.rawValue)),
        ]
        return members + nextMode
    }

    /// What it presents when it next plays, where that is not what it presents now.
    var nextMode: [Value.Member] {
        modes.wanted == mode ? [] : [.init("next_mode", .string(modes.wanted.rawValue))]
    }

    /// All of it. What an element does not say in time is null.
    func details() async -> Value {
        var members = overview
        members += (status().members ?? []).filter { member in !members.contains { $0.key == member.key } }
        members += [
            .init("autostart", .bool(description.autostart)), .init("launch", .string(description.launch.text.string)),
            .init("elements", .list(description.elementNames.map { .string($0) })),
        ]
        let paths = description.settable
        let live = build
        let answer = await workers.result(within: Self.detailsDeadline, clock: clock) {
            live.flatMap { live in
                let pipeline = live.pipeline
                return live.questions.ask {
                    (pipeline.playback, paths.map { pipeline.element(named: $0.element)?.text(of: $0.property) })
                }
            }
        }
        let told = answer ?? nil
        let playback = told?.0
        members += [
            .init("position_ns", playback?.position.map { .int($0.nanoseconds) } ?? .null),
            .init("duration_ns", playback?.duration.map { .int($0.nanoseconds) } ?? .null),
            .init("rate", playback.map { .double($0.rate) } ?? .null),
            .init("seekable", playback.map { .bool($0.isSeekable && build?.isLive != true) } ?? .null),
            .init(
                "settable",
                .list(
                    paths.enumerated().map { index, path in
                        let value = told.flatMap { $0.1[index] }
                        return ["property": .string(path.description), "value": value.map { .string($0) } ?? .null]
                    })),
        ]
        return .map(members)
    }
}

extension PipelineCondition {
    /// The state in one word for who only wants to know whether to look closer.
    var health: String {
        switch self {
        case .stopped, .finished: "idle"
        case .starting, .buffering: "waiting"
        case .playing, .paused: "good"
        case .degraded: "degraded"
        case .stalled, .recovering, .failed: "bad"
        }
    }

    /// All the words that `health` has.
    static let healths = ["idle", "waiting", "good", "degraded", "bad"]
}
