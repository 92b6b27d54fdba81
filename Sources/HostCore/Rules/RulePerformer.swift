internal import GStreamerKit

/// Carries out what rules say, on the host.
@HostActor
final class RulePerformer {
    /// What one action is done for.
    struct Occasion {
        var rule: String
        var event: Event
        /// The `rule.fired` that the action follows from.
        var fired: Event
    }

    /// The host owns it, and outlives what it does.
    private unowned let host: Host
    let programs: RulePrograms
    /// The `rule.fired` of each program that runs, by its number.
    private(set) var causes: [UInt64: Event] = [:]

    init(_ host: Host) {
        self.host = host
        programs = RulePrograms(clock: host.clock, workers: host.workers)
    }

    func perform(_ action: RuleAction, for occasion: Occasion) async throws(RuleFailure) {
        switch action.kind {
        case .call(let instance, let command, let parameters):
            let filled = try parameters.map { node throws(RuleFailure) in try Self.fill(node, occasion) }
            let end = host.events.attribute(.source(instance), to: occasion.fired, lingers: false)
            defer { end() }
            do throws(ControlError) {
                // As a job: whoever wonders what the plugin does, or wants its end, finds it there.
                _ = try await host.jobs.perform(command, of: instance, for: .local, patience: nil) {
                    [host] report throws(ControlError) in
                    try await host.call(
                        instance: instance, command: command, parameters: filled ?? .map([]), progress: report)
                }
            } catch {
                throw RuleFailure(error)
            }
        case .pipeline(let verb, let text, let parameters):
            let name = try Self.fill(text, occasion).plainText
            let filled = try parameters.map { node throws(RuleFailure) in try Self.fill(node, occasion) }
            let end = host.events.attribute(.source(name), to: occasion.fired, lingers: true)
            defer { end() }
            do throws(ControlError) { try await apply(verb, to: name, filled ?? .map([])) } catch {
                throw RuleFailure(error)
            }
        case .lifecycle(let change):
            // All of the change is told when it is done, and what somebody else says after that is their word alone;
            // pipelines start by and by.
            let end = host.events.attribute(.lifecycle, to: occasion.fired, lingers: false)
            let endOfPipelines = host.events.attribute(.pipelines, to: occasion.fired, lingers: true)
            defer {
                end()
                endOfPipelines()
            }
            do throws(ControlError) { _ = try await host.follow(change.trigger) } catch { throw RuleFailure(error) }
        case .exec(let words, let timeout, let givesPayload):
            let filled = try words.map { word throws(RuleFailure) in try Self.fill(word, occasion).plainText }
            // A zero byte would cut the word.
            guard !filled.contains(where: { $0.utf8.contains(0) }) else {
                throw RuleFailure("a word for \(filled.first ?? "") has a zero byte")
            }
            let input = givesPayload ? Array((JSONText.render(Self.document(occasion)) + "\n").utf8) : nil
            causes[occasion.fired.sequence] = occasion.fired
            defer { causes[occasion.fired.sequence] = nil }
            try await programs.run(
                .init(words: filled, environment: environment(occasion), input: input), timeout: timeout)
        }
    }

    private func apply(_ verb: RulePipelineVerb, to name: String, _ given: Value) async throws(ControlError) {
        let given = try Self.resolve(given, verb)
        switch verb {
        case .start: _ = try host.start(pipeline: name)
        case .stop: _ = try await host.stop(pipeline: name)
        case .restart: _ = try await host.restart(pipeline: name)
        case .play: _ = try await host.perform(.play, on: name)
        case .pause: _ = try await host.perform(.pause, on: name)
        case .audio: _ = try await host.perform(.mode(.audio), on: name)
        case .video: _ = try await host.perform(.mode(.video), on: name)
        case .seek: _ = try await host.perform(PlaybackRoutes.seek(given), on: name)
        case .rate: _ = try await host.perform(PlaybackRoutes.rate(given), on: name)
        case .set:
            _ = try await host.set(
                given["property"]?.string ?? "", of: name, to: given["value"]?.string ?? "", saving: false)
        }
    }

    /// What an event brought may not fit.
    private static func resolve(_ given: Value, _ verb: RulePipelineVerb) throws(ControlError) -> Value {
        do throws(ValueSchemaError) {
            return try verb.schema.resolve(given)
        } catch {
            throw ControlError(.invalid, error.description, field: error.field)
        }
    }

    // MARK: - The event for others

    private static func fill(_ text: RuleText, _ occasion: Occasion) throws(RuleFailure) -> Value {
        do throws(RuleText.Missing) {
            return try text.filled(from: occasion.event, rule: occasion.rule)
        } catch {
            throw RuleFailure("\(occasion.event.name) has no \(error.field)")
        }
    }

    private static func fill(_ node: YAMLNode, _ occasion: Occasion) throws(RuleFailure) -> Value {
        switch node.content {
        case .scalar(let text, _):
            if node.isNull { return .null }
            let filling: RuleText
            do throws(RuleText.Invalid) { filling = try RuleText(text.string) } catch {
                throw RuleFailure(error.message)
            }
            return try fill(filling, occasion)
        case .list(let items): return .list(try items.map { item throws(RuleFailure) in try fill(item, occasion) })
        case .map(let entries):
            return .map(
                try entries.map { entry throws(RuleFailure) in
                    Value.Member(entry.key, try fill(entry.value, occasion))
                })
        }
    }

    /// What a program may read.
    private static func document(_ occasion: Occasion) -> Value {
        let event = occasion.event
        return [
            "rule": .string(occasion.rule), "name": .string(event.name), "source": .string(event.source),
            "sequence": .int(Int64(clamping: event.sequence)), "realtime_ns": .int(event.realtime.nanoseconds),
            "monotonic_ns": .int(event.monotonic.nanoseconds), "payload": event.payload,
        ]
    }

    /// The kernel takes no variable that is longer than 128 KiB; nobody needs half of one.
    private static let longestPayload = 1 << 16

    /// The host's own, without what is between it and its service manager, and the event.
    private func environment(_ occasion: Occasion) -> [String: String] {
        var variables = host.source?.environment ?? [:]
        for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
            variables[name] = nil
        }
        let event = occasion.event
        variables["MEDIAHOST_RULE"] = occasion.rule
        variables["MEDIAHOST_EVENT_NAME"] = event.name
        variables["MEDIAHOST_EVENT_SOURCE"] = event.source
        variables["MEDIAHOST_EVENT_SEQUENCE"] = String(event.sequence)
        variables["MEDIAHOST_EVENT_REALTIME_NS"] = String(event.realtime.nanoseconds)
        variables["MEDIAHOST_CAUSE"] =
            StreamPosition(boot: host.events.bootID, sequence: occasion.fired.sequence).text
        let payload = JSONText.render(event.payload)
        variables["MEDIAHOST_EVENT_PAYLOAD"] = payload.utf8.count <= Self.longestPayload ? payload : nil
        if let socket = host.controlSocket { variables["MEDIAHOST_SOCKET"] = socket }
        return variables.filter { !$0.value.utf8.contains(0) }
    }
}
