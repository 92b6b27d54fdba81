package import PluginKit

extension LaundryTimersPlugin {
    package var commands: [Command] {
        [
            Command("start", summary: "Starts a pet's timer.") { (request: StartRequest, reply) in
                self.ask(.start(request), reply, Self.timer)
            },
            Command("start-many", summary: "Starts many timers in one transaction.") {
                (request: StartManyRequest, reply) in
                self.ask(.startMany(request.timers), reply) {
                    if case .startedMany(let many) = $0 { many } else { nil }
                }
            },
            Command("stop", summary: "Ends a pet's timer without finishing it, or is done with a finished one.") {
                (request: PetRequest, reply) in
                self.ask(.stop(request.pet), reply) { if case .stopped(let stopped) = $0 { stopped } else { nil } }
            },
            Command("pause", summary: "Has a pet's timer stand.") { (request: PetRequest, reply) in
                self.ask(.pause(request.pet), reply, Self.timer)
            },
            Command("resume", summary: "Lets a paused timer go on.") { (request: PetRequest, reply) in
                self.ask(.resume(request.pet), reply, Self.timer)
            },
            Command("extend", summary: "Makes a pet's timer longer.") { (request: ExtendRequest, reply) in
                self.ask(.extend(request.pet, by: request.by.wholeNanoseconds), reply, Self.timer)
            },
            Command("snooze", summary: "Has a finished timer told again later.") { (request: SnoozeRequest, reply) in
                self.ask(
                    .snooze(request.pet, for: request.duration?.wholeNanoseconds), reply, Self.timer)
            },
            Command("next", summary: "Does what comes next for a pet: the washer, the dryer, folding.") {
                (request: PetRequest, reply) in self.ask(.next(request.pet), reply, Self.pet)
            },
            Command("acknowledge", summary: "Is done with a finished timer.") { (request: AcknowledgeRequest, reply) in
                self.ask(.acknowledge(request.timer), reply, Self.count)
            },
            Command("replay", summary: "Tells again of all finished timers that nobody has acknowledged.") {
                (reply: CommandReply<CountResult>) in self.replay(reply)
            },
            Command("schedule", summary: "Has a finished timer come again and again, by a calendar or a span of time.")
            {
                (request: ScheduleRequest, reply) in self.ask(.schedule(request), reply, Self.schedule)
            },
            Command("unschedule", summary: "Ends a schedule.") { (request: UnscheduleRequest, reply) in
                self.ask(.unschedule(request.pet, request.name), reply, Self.schedule)
            },
            Command("schedules", summary: "Lists what comes again.") { (request: PageRequest, reply) in
                self.ask(.schedules(after: request.after, limit: request.limit), reply) {
                    if case .schedules(let list) = $0 { list } else { nil }
                }
            },
            Command("status", summary: "Says how a pet is, with its timer.") { (request: PetRequest, reply) in
                self.ask(.status(request.pet), reply, Self.pet)
            },
            Command("list", summary: "Lists timers, those that end soonest first, and finished ones.") {
                (request: PageRequest, reply) in
                self.ask(.list(after: request.after, limit: request.limit), reply) {
                    if case .list(let list) = $0 { list } else { nil }
                }
            },
            Command("summary", summary: "Says how many timers there are, and what the clock is worth.") {
                (reply: CommandReply<Summary>) in
                self.ask(.summary, reply) { [waking = self.state.withLock { $0.waking }] answer in
                    guard case .summary(var summary) = answer else { return nil }
                    summary.waking = waking
                    return summary
                }
            },
            Command("pending", summary: "Says what nobody was told of yet, and when the next timer is over.") {
                (reply: CommandReply<PendingResult>) in
                self.ask(.pending, reply) { [dueSoon = self.engine?.dueSoon] answer in
                    guard case .pending(var pending) = answer else { return nil }
                    // Those the store has as running.
                    pending.undelivered += dueSoon?.count ?? 0
                    return pending
                }
            },
            Command("watch", summary: "Has event update told each second (each five to save energy) for a while.") {
                (request: WatchRequest) throws(PluginError) in self.watch(request.duration)
            },
            Command("pets", summary: "Lists the pets.") { (request: PageRequest, reply) in
                self.ask(.pets(after: request.after, limit: request.limit), reply) {
                    if case .pets(let pets) = $0 { pets } else { nil }
                }
            },
            Command("pet-add", summary: "Makes a pet, or changes one; what is left out stays.") {
                (request: TimerSettings.PetSettings, reply) in
                self.ask(.definePet(request.definition), reply, Self.pet)
            },
            Command("pet-remove", summary: "Removes a pet with its timer.") { (request: PetRequest, reply) in
                self.ask(.removePet(request.pet), reply, Self.pet)
            },
        ]
    }

    /// The answer comes when it is on the disk.
    private func ask<Answer: PluginRecord>(
        _ order: TimerOrder, _ reply: CommandReply<Answer>, _ read: @escaping @Sendable (TimerAnswer) -> Answer?
    ) {
        guard let engine else { return }
        engine.send(order) { answer in
            switch answer {
            case .failure(let refusal): reply.reject(refusal)
            case .success(let answer):
                if let answer = read(answer) { reply.succeed(answer) }
            }
        }
    }

    /// One page after the other, so that commands in between have their turn.
    private func replay(_ reply: CommandReply<CountResult>, after start: Int64 = 0, before count: Int = 0) {
        engine?.send(.replay(after: start)) { [weak self] answer in
            switch answer {
            case .failure(let refusal): reply.reject(refusal)
            case .success(.replayed(let more, let last?)): self?.replay(reply, after: last, before: count + more)
            case .success(.replayed(let more, nil)): reply.succeed(CountResult(count: count + more))
            case .success: break
            }
        }
    }

    private static func timer(_ answer: TimerAnswer) -> TimerReport? {
        if case .timer(let timer) = answer { timer } else { nil }
    }

    private static func schedule(_ answer: TimerAnswer) -> ScheduleReport? {
        if case .schedule(let schedule) = answer { schedule } else { nil }
    }

    private static func pet(_ answer: TimerAnswer) -> PetReport? {
        if case .pet(let pet) = answer { pet } else { nil }
    }

    private static func count(_ answer: TimerAnswer) -> CountResult? {
        if case .count(let count) = answer { CountResult(count: count) } else { nil }
    }
}
