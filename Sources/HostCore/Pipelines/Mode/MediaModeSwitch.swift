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
    private var output: VideoOutput?
    private var worker: SerialWorker?
    /// Counts builds: what an old one still reports is ignored.
    private var number = 0
    private var waiters: [@HostActor () -> Void] = []
    private var timer: HostTimer?
    private var told = MediaMode.video

    enum Notice: Sendable, Equatable {
        case changed(MediaMode, sinks: [String])
        /// What was hidden is about to show something.
        case shows
        case warning(String)
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
    var mode: MediaMode { machine.mode }
    var isSettled: Bool { machine.isSettled }

    /// Calls `done` when it is so, or when it takes too long.
    func set(_ mode: MediaMode, done: @escaping @HostActor () -> Void) {
        waiters.append(done)
        if timer == nil { timer = clock.schedule(after: Self.patience) { [weak self] in self?.settle() } }
        feed(.wants(mode))
    }

    /// It is about to stand still.
    func stand() { feed(.stands) }

    /// A tap has come to a pad.
    func makeWay() { output?.stepBack() }

    /// It plays, for the first time or again.
    func begin(_ pipeline: Pipeline, on worker: SerialWorker) {
        guard output == nil else { return feed(.moves) }
        let number = number
        self.worker = worker
        worker.submit { [weak self] in
            let output = VideoOutput(of: pipeline) { stream, news in
                HostActor.enqueue { self?.follow(stream, news, of: number) }
            }
            HostActor.enqueue { self?.adopt(output, of: number) }
        }
    }

    /// The build is about to go; call `cancel` of the result when it is in NULL.
    func end() -> VideoOutput? {
        number += 1
        defer { (output, worker) = (nil, nil) }
        feed(.goes)
        return output
    }

    private func adopt(_ output: VideoOutput?, of number: Int) {
        guard number == self.number, let output, self.output == nil else { return }
        self.output = output
        feed(.plays(streams: output.streamCount))
    }

    private func follow(_ stream: Int, _ news: VideoOutput.News, of number: Int) {
        guard number == self.number else { return }
        switch news {
        case .idle: feed(.idle(stream))
        case .due: feed(.due(stream))
        case .end: feed(.end(stream))
        }
    }

    private func feed(_ event: MediaModeMachine.Event) {
        for action in machine.handle(event) { perform(action) }
        guard output != nil, machine.mode != told, machine.isSettled else { return }
        told = machine.mode
        onNotice(.changed(told, sinks: output?.sinkNames ?? []))
    }

    private func perform(_ action: MediaModeMachine.Action) {
        switch action {
        case .settled: settle()
        case .hide: output?.hide()
        case .end: work(.ended) { $0.end() }
        case .endDecoder(let stream): work(nil) { $0.endDecoder(of: stream) }
        case .show:
            onNotice(.shows)
            work(.up) { $0.show() }
        case .feed:
            guard let output else { return }
            output.beginFeeding()
            for stream in 0..<output.streamCount { workers.submit { output.feed(stream) } }
        case .postEndOfStream: work(nil) { $0.postEndOfStream() }
        }
    }

    private func work(_ event: MediaModeMachine.Event?, _ step: @escaping @Sendable (VideoOutput) -> Void) {
        guard let output, let worker else { return }
        let number = number
        worker.submit { [weak self] in
            step(output)
            guard let event else { return }
            HostActor.enqueue {
                guard let self, number == self.number else { return }
                self.feed(event)
            }
        }
    }

    private func settle() {
        timer?.cancel()
        timer = nil
        let done = waiters
        waiters = []
        for waiter in done { waiter() }
    }
}
