internal import GStreamerKit

/// What a user is told of a pipeline.
extension PipelineController {
    /// What is under way, in words.
    var step: String {
        switch machine.state {
        case .building: "it is being built"
        case .changing(let target): "on its way to \(target)"
        case .draining: "its streams come to their end"
        case .closing: "it is being ended"
        case .buffering, .playing, .paused, .stopped, .finished, .failed, .waiting: condition.rawValue
        }
    }

    /// What it is doing, in the words of the documentation.
    public var condition: PipelineCondition { machine.condition }
    public var reason: PipelineReason { machine.reason }
    /// How often it was built anew after an error or a stall.
    public var restarts: Int { machine.restarts }
    /// The last error, also when it has recovered from it.
    public var lastFailure: PipelineFailure? { machine.lastFailure }

    public func status() -> Value {
        var members: [Value.Member] = [
            .init("state", .string(condition.rawValue)),
            .init("since_ns", .int((clock.monotonic() - since).nanoseconds)),
            .init("reason", ["code": .string(reason.code), "text": .string(reason.text)]),
            .init("restarts", .int(Int64(restarts))),
            .init("first_buffer", .bool(hasFirstBuffer)),
            .init("mode", .string(mode.rawValue)),
            .init("epoch", .int(Int64(mediaTime.epoch))),
            .init("live_edge_ns", mediaTime.liveEdge(at: clock.coarse()).map { .int($0.nanoseconds) } ?? .null),
        ]
        members += nextMode
        // One that is not to play tries nothing.
        if let nextAttempt, condition == .recovering || condition == .failed, !hasEnded, machine.target == .playing {
            members.append(.init("next_attempt_in_ns", .int(max(0, (nextAttempt - clock.monotonic()).nanoseconds))))
        }
        if let lastFailure { members.append(.init("error", lastFailure.value)) }
        if !quality.counts.isEmpty {
            members.append(
                .init(
                    "qos",
                    .map(
                        quality.counts.sorted { $0.key < $1.key }.map { element, count in
                            .init(
                                element,
                                [
                                    "processed": count.processed.map { .int(Int64(clamping: $0)) } ?? .null,
                                    "dropped": count.dropped.map { .int(Int64(clamping: $0)) } ?? .null,
                                    "messages": .int(Int64(count.messages)),
                                ])
                        })))
        }
        return .map(members)
    }
}

extension PipelineFailure {
    var value: Value {
        var members: [Value.Member] = [.init("code", .string(code)), .init("message", .string(message))]
        if let element { members.append(.init("element", .string(element))) }
        if let domain { members.append(.init("domain", .string(domain))) }
        if let number { members.append(.init("number", .int(Int64(number)))) }
        if let debug { members.append(.init("debug", .string(debug))) }
        return .map(members)
    }
}
