internal import GStreamerKit

/// From what passes to what is true: the rule behind `playing`, `degraded` and `stalled`.
struct FlowJudge: Sendable {
    /// Longer without a buffer is silence; nil: never.
    var timeout: ClockTime?
    /// What has not begun by now is silent, not starting.
    var startIsOver = false
    /// Silence is counted from here at the earliest: the process itself may have stood still (SIGSTOP).
    var notBefore = ClockTime.zero

    struct Verdict: Sendable, Equatable {
        var health: FlowHealth
        /// When it may be different although nothing happens.
        var checkAt: ClockTime?
    }

    func judge(_ samples: [FlowSample], now: ClockTime) -> Verdict {
        var groups: [(group: FlowSample.Group, samples: [FlowSample])] = []
        for sample in samples where !sample.isOver {
            if let index = groups.firstIndex(where: { $0.group == sample.group }) {
                groups[index].samples.append(sample)
            } else {
                groups.append((sample.group, [sample]))
            }
        }
        // What has shown no caps may be of a kind that others carry, until its time is over.
        if !startIsOver, groups.contains(where: { $0.group == .video || $0.group == .audio || $0.group == .other }) {
            groups.removeAll { $0.group == .unknown }
        }
        let hasSinks = groups.contains { !$0.group.isSource }
        var waiting: [String] = []
        var silent: [String] = []
        var isFlowing = false
        var checkAt: ClockTime?
        for (group, members) in groups {
            // What only leaves a source has arrived nowhere.
            let counts = !group.isSource || !hasSinks
            let begun = members.filter(\.hasFlowed)
            guard let due = begun.map(silentFrom).max() else {
                if startIsOver { silent += members.map(\.name) } else { waiting += members.map(\.name) }
                continue
            }
            guard timeout != nil else {
                isFlowing = isFlowing || counts
                continue
            }
            if now >= due {
                silent += members.map(\.name)
            } else {
                isFlowing = isFlowing || counts
                checkAt = min(checkAt ?? due, due)
            }
        }
        let health: FlowHealth =
            if !samples.contains(where: \.hasFlowed) {
                startIsOver ? .stalled(silent: samples.map(\.name)) : .starting(waitingFor: samples.map(\.name))
            } else if silent.isEmpty {
                waiting.isEmpty ? .flowing : .starting(waitingFor: waiting)
            } else if isFlowing {
                .degraded(silent: silent)
            } else {
                waiting.isEmpty ? .stalled(silent: silent) : .starting(waitingFor: waiting)
            }
        return Verdict(health: health, checkAt: checkAt)
    }

    private func silentFrom(_ sample: FlowSample) -> ClockTime {
        max(sample.last, notBefore) + (timeout ?? .zero) + min(sample.spacing, Self.longestSpacing)
    }

    /// A buffer that says it lasts for longer tells nothing, and its end would be no time.
    private static let longestSpacing = ClockTime.seconds(86_400)
}
