internal import GStreamerKit

/// Takes the pictures out of one build and puts them back, as its machine decides.
///
/// Changes of state run on the pipeline's own worker, after those that came before.
@HostActor
final class MediaModeSwitch {
    private var machine = MediaModeMachine()
    private let workers: WorkerPool
    private let clock: any HostClock
    private let onNotice: @HostActor (Notice) -> Void
    /// What can be taken out of the build, once that is known.
    private(set) var output: VideoOutput?
    /// Before the pictures of a build that is to begin without them, until they are taken out.
    private var curtain: PictureCurtain?
    private var worker: SerialWorker?
    /// Counts builds: what an old one still reports is ignored.
    private var number = 0
    /// Whether a worker looks for what can be taken out.
    private var isLooking = false
    /// Each has its own patience; by number, in their order.
    private var waiters: [Int: Waiter] = [:]
    private var nextWaiter = 0
    /// Whoever waited for what is wanted now was answered before it was so, and that was told.
    private var isLate = false
    private var told = MediaMode.video
    /// Of the last `hide`; nil where nothing is mixed.
    private var turns: MixingTurns?
    private var mixingTimer: HostTimer?
    private var hangTimer: HostTimer?

    enum Notice: Sendable, Equatable {
        case changed(MediaMode, sinks: [String])
        /// What begins without pictures has none to wait for any more.
        case rests
        /// What was hidden is about to show something.
        case shows
        /// Whoever asked was answered before it was so.
        case late(String)
        /// Beside a sink that hangs, all that is hidden has come to its end.
        case isOver
        /// Since when a sink keeps the worker, perhaps for ever; nil: it does not any more.
        case hangs(since: ClockTime?)
    }

    private struct Waiter {
        var mode: MediaMode
        var timer: HostTimer
        var done: @HostActor () -> Void
    }

    /// How long whoever asked is kept waiting; what is under way goes on after it. A sink may hold a picture for that long.
    static let patience = ClockTime.seconds(2)

    init(clock: any HostClock, workers: WorkerPool, onNotice: @escaping @HostActor (Notice) -> Void) {
        self.clock = clock
        self.workers = workers
        self.onNotice = onNotice
    }

    var wanted: MediaMode { machine.wanted }
    /// What it presents now.
    var mode: MediaMode { curtain == nil ? machine.mode : .audio }
    /// Whether what is hidden has come to its end.
    var isOver: Bool { machine.isOver }
    /// What is asked for is so, as far as it plays.
    var isSettled: Bool { machine.isSettled && !isLooking }
    /// Somebody waits for what is asked for.
    var isAwaited: Bool { !waiters.isEmpty }

    /// Calls `done` when it is so, or when it takes too long.
    func set(_ mode: MediaMode, done: @escaping @HostActor () -> Void) {
        let waiter = nextWaiter
        nextWaiter += 1
        let timer = clock.schedule(after: Self.patience) { [weak self] in self?.giveUp(waiter) }
        waiters[waiter] = Waiter(mode: mode, timer: timer, done: done)
        if mode != machine.wanted { isLate = false }
        feed(.wants(mode))
    }

    /// Told once, however many ask for the same; not where something else is wanted by now.
    private func giveUp(_ waiter: Int) {
        guard let waiter = waiters.removeValue(forKey: waiter) else { return }
        if waiter.mode == machine.wanted { tellLate(waiter.mode) }
        waiter.done()
    }

    private func tellLate(_ mode: MediaMode) {
        guard !isLate else { return }
        isLate = true
        let names = output?.sinkNames ?? []
        let missing = names.isEmpty ? "" : " (waiting for \(names.joined(separator: ", ")))"
        let what = mode == .audio ? "did not go" : "did not come back"
        let patience = Quantity.durationText(Self.patience.nanoseconds)
        onNotice(.late("its pictures \(what) within \(patience)\(missing); they do as soon as they can"))
    }

    /// A build that is to begin; nothing of it flows yet. Without pictures, none of it is to be seen before they are taken out.
    func prepare(_ pipeline: Pipeline) {
        if machine.wanted == .audio { curtain = PictureCurtain(over: pipeline) }
    }

    /// It is about to stand still.
    func stand() { feed(.stands) }

    /// It plays once more, after a moment in PAUSED that nobody waited for.
    func moveOn() {
        output?.moveOn()
        feed(.moves)
    }

    /// The same, on its way to its end.
    func drain() { feed(.drains) }

    /// A tap has come to a pad.
    func makeWay() { output?.stepBack() }

    /// It plays, for the first time or again.
    /// - Parameter listened: where taps are, which hear pictures that nobody sees, too.
    func begin(_ pipeline: Pipeline, listened: [Pad], on worker: SerialWorker) {
        moveOn()
        guard output == nil, !isLooking else { return }
        let number = number
        (self.worker, isLooking) = (worker, true)
        worker.submit { [weak self] in
            let output = VideoOutput(of: pipeline, listened: listened) { stream, news in
                HostActor.enqueue { self?.follow(stream, news, of: number) }
            }
            HostActor.enqueue {
                guard let self, number == self.number else {
                    output?.cancel()
                    return
                }
                self.adopt(output)
            }
        }
    }

    /// The build is about to go; call the result when it is in NULL: until then it shows what it may show, and no more.
    func end() -> @HostActor () -> Void {
        number += 1
        let (last, curtain) = (output, curtain)
        last?.letGo()
        hangTimer?.cancel()
        // What is gone presents nothing: no mode is told of it.
        (output, worker, isLooking, self.curtain) = (nil, nil, false, nil)
        isLate = false
        feed(.goes)
        return {
            last?.cancel()
            curtain?.lift()
        }
    }

    private func adopt(_ output: VideoOutput?) {
        isLooking = false
        // Without pictures, or with nothing else: left as it is.
        guard let output else {
            lift()
            return settle()
        }
        self.output = output
        feed(.plays(streams: output.streamCount))
    }

    private func follow(_ stream: Int, _ news: VideoOutput.News, of number: Int) {
        guard number == self.number else { return }
        switch news {
        case .idle(let round):
            feed(.idle(stream, round: round))
            // Not one of an earlier round.
            guard machine.resting.contains(stream) else { return }
            turns?.rest(stream, at: clock.monotonic())
            watchMixing()
        case .due(let round): feed(.due(stream, round: round))
        case .end: feed(.end(stream))
        case .goesOn: feed(.goesOn(stream))
        }
    }

    private func feed(_ event: MediaModeMachine.Event) {
        let hung = machine.hangs
        for action in machine.handle(event) { perform(action) }
        if !machine.isChanging { hangTimer?.cancel() }
        // What goes with its build hangs on.
        if hung, !machine.hangs, machine.state != .absent { onNotice(.hangs(since: nil)) }
        if machine.wanted == .video || machine.state == .hidden { lift() }
        guard output != nil, mode != told, machine.isSettled else { return }
        told = mode
        onNotice(.changed(told, sinks: output?.sinkNames ?? []))
    }

    private func lift() {
        guard let curtain else { return }
        self.curtain = nil
        curtain.lift()
        onNotice(.rests)
    }

    private func perform(_ action: MediaModeMachine.Action) {
        switch action {
        // Until it is known what can be taken out nothing is settled.
        case .settled: if !isLooking { settle() }
        case .hide(let round):
            output?.hide(round: round)
            turns = output?.isMixed == true ? MixingTurns(at: clock.monotonic()) : nil
            watchMixing()
        case .giveOne(let stream, let round):
            if let output { workers.submit { output.giveOne(of: stream, round: round) } }
        case .end: work(.ended) { $0.end(onBegin: $1) }
        case .endDecoder(let stream): work(nil) { output, _ in output.endDecoder(of: stream) }
        case .show:
            hangTimer?.cancel()
            onNotice(.shows)
            work(.up) { $0.show(onBegin: $1) }
        case .feed:
            guard let output else { return }
            output.beginFeeding()
            for stream in 0..<output.streamCount { workers.submit { output.feed(stream) } }
        case .postEndOfStream:
            guard machine.hangs, let output else { return work(nil) { output, _ in output.postEndOfStream() } }
            // Behind what hangs it would never have its turn.
            workers.submit { output.postEndOfStream() }
            onNotice(.isOver)
        }
    }

    /// What is mixed is given on until all of it rests.
    private func watchMixing() {
        mixingTimer?.cancel()
        mixingTimer = nil
        guard machine.isHiding, let turns else { return }
        mixingTimer = clock.schedule(after: max(turns.due - clock.monotonic(), .zero)) { [weak self] in
            guard let self else { return }
            if let stream = self.turns?.next(of: self.machine.resting, at: self.clock.monotonic()) {
                self.feed(.give(stream))
            }
            self.watchMixing()
        }
    }

    /// A bin that changes its state waits for each of its elements, whatever that is in: with one that hangs, all of it does.
    private func watchChange() {
        hangTimer?.cancel()
        let begin = clock.monotonic()
        hangTimer = clock.schedule(after: Self.patience) { [weak self] in
            guard let self, self.machine.isChanging else { return }
            // The whole process stood still, and so did what is waited for.
            guard self.clock.monotonic() - begin - Self.patience <= FlowWatch.lateness else {
                return self.watchChange()
            }
            // Who asked before it played was answered.
            let wanted = self.machine.wanted
            if !self.waiters.values.contains(where: { $0.mode == wanted }) { self.tellLate(wanted) }
            self.feed(.hangs)
            self.onNotice(.hangs(since: begin))
        }
    }

    /// - Parameter step: calls what it is given when elements begin to change their states.
    private func work(
        _ event: MediaModeMachine.Event?, _ step: @escaping @Sendable (VideoOutput, () -> Void) -> Void
    ) {
        guard let output, let worker else { return }
        let number = number
        worker.submit { [weak self] in
            step(output) {
                HostActor.enqueue {
                    guard let self, number == self.number else { return }
                    self.watchChange()
                }
            }
            guard let event else { return }
            HostActor.enqueue {
                guard let self, number == self.number else { return }
                self.feed(event)
            }
        }
    }

    private func settle() {
        isLate = false
        let settled = waiters.sorted { $0.key < $1.key }.map(\.value)
        waiters = [:]
        for waiter in settled {
            waiter.timer.cancel()
            waiter.done()
        }
    }
}
