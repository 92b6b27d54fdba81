internal import GStreamerKit

/// What the API and the metrics tell of logind.
extension LoginService {
    var status: Value {
        [
            "bus": .string(machine.link.rawValue),
            "session": machine.session.map { .string($0.id) } ?? .null,
            "locked_hint": machine.lockedHint.map { .bool($0) } ?? .null,
            "inhibitors": .list(machine.held.map(\.what).sorted().map { .string($0) }),
            "sleep": [
                "count": .int(Int64(machine.sleeps.count)), "given_up": .int(Int64(machine.sleeps.givenUp)),
                "last_ns": machine.sleeps.last.map { .int($0.nanoseconds) } ?? .null,
            ],
        ]
    }

    var families: [MetricFamily] {
        let sleeps = machine.sleeps
        var held = MetricFamily("mediahost_inhibitor_held", .gauge, "Whether an inhibitor of logind's is held.")
        for inhibitor in machine.settings.bus == .off ? [] : machine.wanted {
            held.add(machine.held.contains(inhibitor) ? 1 : 0, ["what": inhibitor.what])
        }
        var families = [
            held,
            MetricFamily(
                "mediahost_sleeps_total", .counter, "How often the machine was about to sleep.", Double(sleeps.count)),
            MetricFamily(
                "mediahost_sleeps_given_up_total", .counter, "How often it slept before the host was quiet.",
                Double(sleeps.givenUp)),
        ]
        if let last = sleeps.last {
            families.append(
                MetricFamily(
                    "mediahost_sleep_delay_seconds", .gauge, "How long the last sleep was held up.", last.asSeconds))
        }
        return families
    }
}
