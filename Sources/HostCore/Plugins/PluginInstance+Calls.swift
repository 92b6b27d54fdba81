public import GStreamerKit
internal import PluginABI

/// What the host asks of the plugin.
extension PluginInstance {
    public var acknowledgeWithin: ClockTime {
        acknowledgement?.within ?? AcknowledgementBudget.usual
    }

    /// What it asks for; nil where it is not asked to acknowledge anything.
    var acknowledgement: AcknowledgementBudget.Wish? {
        // Its tables go with it.
        guard state != .gone, let table = lifecycleTable, table.pointee.on_state != nil else { return nil }
        return AcknowledgementBudget.Wish(name: name, nanoseconds: table.pointee.ack_within)
    }

    /// The event that the plugin is being told of.
    var handledEvent: Event? { environment?.events.delivering }

    public func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
        guard self.state == .active, let table = lifecycleTable, let onState = table.pointee.on_state else {
            if let token { environment?.acknowledge(token, accepted: true) }
            return
        }
        context.ask(token ?? 0)
        calling("on_state") {
            onState(plugin, token ?? 0, state.rawValue, change.rawValue, deadline?.nanoseconds ?? Int64.min)
        }
    }

    public func hasAnswered(_ token: UInt64) -> Bool { context.hasAnswered(token) }

    /// The hot one: many events times many plugins.
    func tell(_ delivery: EventDelivery) {
        guard state == .active, let onEvent = eventTable?.pointee.on_event else { return }
        let view = delivery.view
        let (took, end) = delivery.time(by: context.clock) {
            HostActor.activity.during(eventNote) { onEvent(plugin, view.pointer) }
        }
        noteEvent(took)
        // Less than what the clock cannot tell is no overrun.
        if took > CallBudget.usual { noteLateEvent(took - context.clock.coarseTick, at: end) }
    }

    /// Calls a command and waits for its answer. Cancelling the task tells the plugin that nobody waits any more.
    func call(
        _ command: String, _ parameters: Value, progress: @escaping PluginCalls.Progress = { _, _ in }
    ) async throws(PluginCallError) -> Value {
        guard state == .active, let invoke = commandTable?.pointee.invoke else {
            throw PluginCallError(mh_status(MH_E_STATE), "plugin \(name) is not running")
        }
        guard let known = commands.first(where: { $0.name == command }) else { throw unknownCommand(command) }
        let resolved = try known.resolve(parameters)
        let answer = await wait(.command, progress) { token in
            let tree = ValueNode(resolved)
            withExtendedLifetime(tree) {
                calling("invoke") { command.withABI { invoke(plugin, token, $0, tree.handle) } }
            }
        }
        switch try answer.get() {
        case .value(let value): return value
        case .response:
            throw PluginCallError(
                mh_status(MH_E_FAILED),
                "plugin \(name) answered command \(command) as if it were an HTTP request; this is a fault of the plugin"
            )
        }
    }

    /// Hands the plugin a token by `start`, and waits for the answer to it. Cancelling the task tells the plugin.
    func wait(
        _ kind: PluginCalls.Kind, _ progress: @escaping PluginCalls.Progress = { _, _ in }, _ start: (mh_token) -> Void
    ) async -> PluginCalls.Answer {
        let token = calls.nextToken()
        let context = context
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A task gives way to others on its way here: it may have ended, and be destroyed, since its caller looked.
                guard state == .active else {
                    let error = PluginCallError(mh_status(MH_E_CANCELLED), "plugin \(name) is ending")
                    return continuation.resume(returning: .failure(error))
                }
                context.open(token)
                calls.wait(for: token, kind, until: deadline(of: token), progress, continuation)
                start(token)
                // Of who was cancelled before, the other word of it may have come already, and found nobody here.
                if Task.isCancelled { cancel(token) }
            }
        } onCancel: {
            HostActor.enqueue { context.owner?.cancel(token) }
        }
    }

    func deadline(of token: mh_token) -> HostTimer {
        context.clock.schedule(after: PluginCalls.deadline) { [weak self] in self?.giveUp(token) }
    }

    /// The caller is told, the plugin is told, and no answer counts any more.
    private func giveUp(_ token: mh_token) {
        guard context.forget(token) else { return }
        if PluginCounters.count(context.counters.unansweredCalls) {
            context.log.warning(
                "did not answer within \(Quantity.durationText(PluginCalls.deadline.nanoseconds)); said once, counted from here on"
            )
        }
        cancel(token)
        calls.finish(
            token,
            .failure(
                PluginCallError(
                    mh_status(MH_E_TIMEOUT),
                    "plugin \(name) did not answer within \(Quantity.durationText(PluginCalls.deadline.nanoseconds))")))
    }

    private func cancel(_ token: mh_token) {
        guard state == .active, let kind = calls.cancel(token) else { return }
        calling("cancel") {
            switch kind {
            case .command: commandTable?.pointee.cancel?(plugin, token)
            case .request: routeTable?.pointee.cancel?(plugin, token)
            }
        }
    }

    private func unknownCommand(_ wanted: String) -> PluginCallError {
        let names = commands.map(\.name)
        let hint = Suggestion.nearest(to: wanted, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        let list = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        return PluginCallError(
            mh_status(MH_E_NOT_FOUND), "plugin \(name) has no command \"\(wanted)\"\(hint) (\(list))",
            field: "command")
    }
}
