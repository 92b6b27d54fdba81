import PluginKit

/// A trigger whose post-roll is still to come.
struct WaitingClip: Sendable {
    var range: ClipSelection
    var task: SaveTask
    var reply: CommandReply<SavedClip>
}

/// What part of the timeline a clip is to have.
struct ClipSelection: Equatable, Sendable {
    enum Range: Equatable, Sendable {
        /// Everything for nil.
        case last(Int64?)
        /// Media times in nanoseconds.
        case between(Int64, Int64?)
    }

    var range: Range
    var noOverlap = false
}

extension ReplayBufferPlugin {
    var clipCommands: [Command] {
        [
            Command("save", summary: "Saves a part of the buffer as a clip.", run: save),
            Command("trigger", summary: "Saves what was before now and what comes after it as a clip.", run: trigger),
            Command("status", summary: "Says what is kept now.", run: report),
            Command("reset", summary: "Empties the buffer; the timeline goes on.", run: reset),
        ]
    }

    /// Up to `PinSet.limit` saves run at a time, each with the range it found when it was asked for.
    /// - Thread: main.
    private func save(_ request: SaveRequest, _ reply: CommandReply<SavedClip>) {
        do throws(PluginError) {
            let task = try task(request.to, request.overwrite, request.exact, request.gaps)
            let range = try selection(request)
            try start(ClipSelection(range: range, noOverlap: request.noOverlap), task, reply)
        } catch {
            reply.reject(error)
        }
    }

    private func task(
        _ to: PathName, _ overwrite: Bool, _ exact: Bool, _ gaps: ClipPlan.Gaps
    ) throws(PluginError) -> SaveTask {
        let path = to.text
        guard !path.isEmpty else { throw PluginError("save needs to=PATH", code: .invalid, key: "to") }
        let container = try Container(path: path)
        guard !exact || container == .mp4 else {
            throw PluginError(
                "cannot save \(path): only an .mp4 file can hide what comes before its first picture; save to .mp4, or "
                    + "leave out exact", code: .unsupported, key: "exact")
        }
        return SaveTask(path: path, container: container, overwrite: overwrite, exact: exact, gaps: gaps)
    }

    private func selection(_ request: SaveRequest) throws(PluginError) -> ClipSelection.Range {
        let path = request.to.text
        let given = [request.last != nil, request.from != nil, request.marker != nil].filter { $0 }.count
        guard given <= 1 else {
            throw PluginError("cannot save \(path): give one of last, from and marker", code: .invalid)
        }
        let until = request.until?.wholeNanoseconds
        var from = request.from?.wholeNanoseconds
        if let name = request.marker {
            guard let marker = main.withLock({ $0.markers.find(name) }) else {
                throw PluginError(
                    "cannot save \(path): there is no marker \"\(name)\"; markers lists those there are",
                    code: .notFound, key: "marker")
            }
            from = marker.time
        }
        guard let from else {
            guard until == nil else {
                throw PluginError("cannot save \(path): until goes with from or marker", code: .invalid, key: "until")
            }
            return .last(request.last?.wholeNanoseconds)
        }
        if let until, until <= from {
            throw PluginError(
                "cannot save \(path): until (\(Spelled.seconds(until))) must be after the beginning "
                    + "(\(Spelled.seconds(from)))", code: .invalid, key: "until")
        }
        return .between(from, until)
    }

    // MARK: Triggers

    private func trigger(_ request: TriggerRequest, _ reply: CommandReply<SavedClip>) {
        do throws(PluginError) {
            let task = try task(request.to, request.overwrite, request.exact, request.gaps)
            let (pre, post) = (request.pre.wholeNanoseconds, request.post.wholeNanoseconds)
            guard pre <= settings.window.wholeNanoseconds, post <= settings.window.wholeNanoseconds - pre else {
                throw PluginError(
                    "cannot save \(task.path): pre and post together are longer than window=\(Spelled.seconds(settings.window.wholeNanoseconds))",
                    code: .invalid, key: "post")
            }
            let timeline = store.edges()
            guard !timeline.isEmpty else { throw nothingToSave(task.path) }
            let (until, isBeyond) = timeline.newest.addingReportingOverflow(post)
            guard !isBeyond else {
                throw PluginError(
                    "cannot save \(task.path): post=\(Spelled.seconds(post)) reaches beyond the end of all time",
                    code: .invalid, key: "post")
            }
            let range = ClipSelection(
                range: .between(timeline.newest.clampedSubtracting(pre), until), noOverlap: request.noOverlap)
            guard post > 0 else { return try start(range, task, reply) }
            dropCancelled()
            let isTaken = main.withLock { state in
                guard state.waiting.count < PinSet.limit else { return false }
                state.waiting.append(WaitingClip(range: range, task: task, reply: reply))
                return true
            }
            guard isTaken else {
                throw PluginError(
                    "cannot save \(task.path): \(PinSet.limit) triggers are waiting; try again later", code: .busy)
            }
            store.tellReached(until)
        } catch {
            reply.reject(error)
        }
    }

    /// A sign of life for who waits for a post-roll, however long that is.
    /// - Thread: main.
    func tellWaiting() {
        dropCancelled()
        let newest = store.newest
        for clip in main.withLock({ $0.waiting }) {
            clip.reply.progress(0, "\(Spelled.seconds(max(0, (clip.until ?? newest) &- newest))) are still to come")
        }
    }

    /// Whom nobody waits for any more gives their place back.
    private func dropCancelled() {
        let cancelled = main.withLock { state in
            let cancelled = state.waiting.filter { $0.reply.isCancelled }
            state.waiting.removeAll { $0.reply.isCancelled }
            return cancelled
        }
        for clip in cancelled {
            clip.reply.reject(PluginError("saving \(clip.task.path) was cancelled", code: .cancelled))
        }
    }

    /// Starts triggers whose post-roll is there; all, where no more of it will come.
    /// - Thread: main.
    func startTriggers(all: Bool) {
        dropCancelled()
        let newest = store.newest
        let ready = main.withLock { state in
            let ready = state.waiting.filter { all || $0.isThere(newest) }
            state.waiting.removeAll { all || $0.isThere(newest) }
            if let next = state.waiting.compactMap(\.until).min() { store.tellReached(next) }
            return ready
        }
        for clip in ready {
            do throws(PluginError) {
                try start(clip.range, clip.task, clip.reply)
            } catch {
                clip.reply.reject(error)
            }
        }
    }

    // MARK: Saving

    private func start(
        _ selection: ClipSelection, _ task: SaveTask, _ reply: CommandReply<SavedClip>
    ) throws(PluginError) {
        var task = task
        let newest = store.newest
        var range = selection.range
        if selection.noOverlap, let savedUntil = main.withLock({ $0.saved.end }) {
            range = try without(savedUntil, range, newest, task.path)
        }
        let choice: GOPRing.Choice
        switch range {
        case .last(let length): choice = store.pin(last: length)
        case .between(let from, let until):
            task.isAllThere = until.map { $0 <= newest + GOPRing.rounding } ?? true
            choice = store.pin(from: from, to: until)
        }
        switch choice {
        case .empty: throw nothingToSave(task.path)
        case .outside:
            let timeline = store.edges()
            throw PluginError(
                "cannot save \(task.path): nothing of that range is kept; the buffer has "
                    + "\(Spelled.seconds(timeline.oldest)) to \(Spelled.seconds(timeline.newest))",
                code: .notFound)
        case .busy:
            throw PluginError(
                "cannot save \(task.path): \(PinSet.limit) saves are running; try again when one is done", code: .busy)
        case .clip(let clip):
            let number = main.withLock { $0.saved.begin(until: clip.finish) }
            let job = SaveJob(store: store, clip: clip, request: task, makeWriter: makeWriter)
            do throws(PluginError) {
                try host.submit { [self] in finish(job, number, reply) }
            } catch {
                main.withLock { $0.saved.finish(number, isSaved: false) }
                store.unpin(clip)
                throw error
            }
        }
    }

    /// - Thread: worker.
    private func finish(_ job: SaveJob, _ number: Int, _ reply: CommandReply<SavedClip>) {
        tellRemoved(directories.use(ClipFile.split(job.request.path).directory, try? host.stateDirectory()))
        do throws(PluginError) {
            let clip = try job.run(ReplyWatch(reply: reply))
            main.withLock { $0.saved.finish(number, isSaved: true) }
            count(saved: true)
            tell("saved", clip.pluginValue)
            reply.succeed(clip)
        } catch {
            main.withLock { $0.saved.finish(number, isSaved: false) }
            count(saved: false)
            tell("save-failed", ["path": .string(job.request.path), "message": .string(error.message)])
            reply.reject(error)
        }
    }

    private func count(saved: Bool) { main.withLock { $0.numbers }?.count(saved: saved) }

    private func without(
        _ saved: Int64, _ range: ClipSelection.Range, _ newest: Int64, _ path: String
    ) throws(PluginError) -> ClipSelection.Range {
        let (from, until): (Int64, Int64?) =
            switch range {
            case .last(let length): (length.map { newest.clampedSubtracting($0) } ?? .min, nil)
            case .between(let from, let until): (from, until)
            }
        guard from < saved else { return range }
        guard let key = store.keyTime(notBefore: saved), key < until ?? newest else {
            throw PluginError(
                "cannot save \(path): nothing has begun since the clip before, which ends at \(Spelled.seconds(saved)); "
                    + "leave out no-overlap to save it once more", code: .state)
        }
        return .between(key, until)
    }

    func nothingToSave(_ path: String) -> PluginError {
        let drops = store.status.drops
        let why =
            if drops.oversizedGOPs > 0 {
                "the time between two key frames needs more than memory=\(settings.memory)"
            } else if drops.withoutKey > 0 {
                "no key frame has come from \(settings.video) yet"
            } else {
                "nothing has come from \(settings.video) yet"
            }
        return PluginError("cannot save \(path): the buffer is empty; \(why)", code: .state)
    }

    private func report() -> BufferReport {
        let status = store.status
        return BufferReport(
            frames: status.frames, gops: status.gops, bytes: .bytes(status.bytes), capacity: .bytes(store.capacity),
            window: settings.window, oldest: status.oldest, newest: status.newest,
            duration: .nanoseconds(status.newest - status.oldest), saves: store.saves,
            waiting: main.withLock { $0.waiting.count }, dropped: status.drops)
    }

    private func reset() {
        store.reset()
        main.withLock { $0.markers.reset() }
        keepMarkers()
        tell("reset", [:])
    }
}

extension WaitingClip {
    fileprivate var until: Int64? {
        guard case .between(_, let until) = range.range else { return nil }
        return until
    }

    fileprivate func isThere(_ newest: Int64) -> Bool { (until ?? .min) <= newest }
}

/// A save that a command waits for.
private struct ReplyWatch: SaveWatch {
    let reply: CommandReply<SavedClip>

    var isCancelled: Bool { reply.isCancelled }
    func progress(_ fraction: Double) { reply.progress(fraction) }
}
