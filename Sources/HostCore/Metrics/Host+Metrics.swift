internal import GStreamerKit

/// What `GET /metrics` says.
extension Host {
    public func metrics() -> String {
        MetricText.render(
            hostFamilies + ProcessNumbers.families + login.families + inputs.families + pipelineFamilies
                + pluginFamilies
                + ruleFamilies + declared)
    }

    private var hostFamilies: [MetricFamily] {
        var info = MetricFamily("mediahost_info", .gauge, "1, with the version of the host.")
        info.add(1, ["version": HostVersion.text])
        // By the clock as it is now: one that was set after the start does not leave a start in 1970.
        let start = clock.realtime() - (clock.boottime() - bootTimeAtStart)
        var desired = MetricFamily("mediahost_desired", .gauge, "Whether a reason of the desired state holds.")
        var quiet = MetricFamily("mediahost_quiet", .gauge, "Whether the host is to be quiet, by reason.")
        for (reason, name) in DesiredState.named {
            let holds: Double = lifecycle.desired.contains(reason) ? 1 : 0
            desired.add(holds, ["reason": name])
            if reason.isQuiet { quiet.add(holds, ["reason": name]) }
        }
        var late = MetricFamily(
            "mediahost_late_acknowledgements_total", .counter, "Changes that a plugin did not acknowledge in time.")
        for (name, count) in lifecycle.stragglers.sorted(by: { $0.key < $1.key }) {
            late.add(Double(count), ["plugin": name])
        }
        return [
            info,
            MetricFamily(
                "mediahost_start_time_seconds", .gauge, "When the host started, in seconds since 1970.", start.asSeconds
            ),
            desired, quiet, late,
            MetricFamily(
                "mediahost_ignored_acknowledgements_total", .counter, "Acknowledgements that nobody waited for.",
                Double(lifecycle.ignoredAnswers)),
        ]
    }

    /// The host's own view of its plugins. Not under the prefix of theirs: a plugin may use any name there.
    private var pluginFamilies: [MetricFamily] {
        var isUp = MetricFamily("mediahost_instance_up", .gauge, "Whether a plugin's instance runs.")
        var restarts = MetricFamily("mediahost_instance_restarts_total", .counter, "New instances after a failure.")
        var faults = MetricFamily(
            "mediahost_instance_faults_total", .counter, "What a plugin did that it should not have done, or lost.")
        var late = MetricFamily(
            "mediahost_instance_late_calls_total", .counter, "Calls that kept the control thread too long.")
        var longest = MetricFamily("mediahost_instance_longest_call_seconds", .gauge, "The longest of them.")
        var calls = MetricFamily("mediahost_instance_calls_total", .counter, "Calls of a plugin's functions.")
        var time = MetricFamily(
            "mediahost_instance_call_seconds_total", .counter, "What they took of the control thread.")
        var answers = MetricFamily(
            "mediahost_instance_answers_total", .counter, "Commands and requests that were answered, or given up.")
        var errors = MetricFamily(
            "mediahost_instance_errors_total", .counter, "Those of them that were answered with an error, or given up.")
        for instance in plugins.instances {
            for (function, spent) in instance.spent {
                calls.add(Double(spent.calls), ["plugin": instance.name, "function": function])
                time.add(spent.time.asSeconds, ["plugin": instance.name, "function": function])
            }
            answers.add(Double(instance.calls.answered), ["plugin": instance.name])
            errors.add(Double(instance.calls.failed), ["plugin": instance.name])
        }
        for name in plugins.instances.map(\.name) + plugins.failures.keys.sorted() {
            isUp.add(plugins[name]?.state == .active ? 1 : 0, ["plugin": name])
            restarts.add(Double(self.restarts.counts[name] ?? 0), ["plugin": name])
            for counter in plugins[name]?.context.counters.value.members ?? [] {
                faults.add(counter.value.double ?? 0, ["plugin": name, "fault": counter.key])
            }
            for call in plugins[name]?.counters["late"]?.members ?? [] {
                late.add(call.value["count"]?.double ?? 0, ["plugin": name, "function": call.key])
                let time = ClockTime(nanoseconds: call.value["longest_ns"]?.int ?? 0)
                longest.add(time.asSeconds, ["plugin": name, "function": call.key])
            }
        }
        return [isUp, restarts, calls, time, answers, errors, faults, late, longest]
    }

    /// What plugins declared, one family for all instances that share a name; the first one's help counts.
    private var declared: [MetricFamily] {
        var families: [String: MetricFamily] = [:]
        for instance in plugins.instances {
            for reading in instance.context.metrics.readings {
                let name = "mediahost_plugin_\(reading.name)"
                let labels = reading.labels.map { MetricLabel($0.name, secrets.mask($0.value)) }
                families[name, default: MetricFamily(name, reading.kind, secrets.mask(reading.help))]
                    .samples.append(
                        .init(labels: [MetricLabel("plugin", instance.name)] + labels, value: reading.value))
            }
        }
        return families.values.sorted { $0.name < $1.name }
    }
}

extension ClockTime {
    var asSeconds: Double { Double(nanoseconds) / 1e9 }
}
