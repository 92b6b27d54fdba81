internal import GStreamerKit
import Locking

/// What becomes of a build that hangs: in its making, in one of its sinks, or on its way to NULL.
extension PipelineController {
    /// What is left of a limit for a change of state that waits for what hangs already.
    func left(of limit: ClockTime) -> ClockTime {
        stuckSince.map { max(.zero, limit - (clock.monotonic() - $0)) } ?? limit
    }

    /// A bin with a sink that hangs in a change of its state says nothing of its end: it waits for that change. What has come to a sink
    /// by then is heard, or written, a moment later.
    func endBesideWhatHangs() {
        guard isOverBesideWhatHangs, !isAboutToEnd else { return }
        isAboutToEnd = true
        let number = buildNumber
        _ = clock.schedule(after: Self.lastMoment) { [weak self] in
            guard let self, number == buildNumber else { return }
            isAboutToEnd = false
            if isOverBesideWhatHangs { feed(.endOfStream(hadBuffers: hadBuffers)) }
        }
    }

    private var isOverBesideWhatHangs: Bool {
        stuckSince != nil && playsToItsEnd && modes.isOver && build?.flow.unended.isEmpty == true
    }

    private var playsToItsEnd: Bool {
        switch machine.state {
        case .playing, .draining: true
        // Its change waits for what hangs, and it plays on.
        case .changing: machine.aim == .playing
        default: false
        }
    }

    /// Longer than what a sound device has before it, 200 ms if nobody says otherwise.
    private nonisolated static let lastMoment = ClockTime.seconds(1)

    /// A step that is done by whoever comes first: the worker in its turn, or another one where that hangs.
    nonisolated static func once(_ step: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let isTaken = Locked(false)
        return {
            let isFirst = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
            if isFirst { step() }
        }
    }

    /// What hangs keeps its thread. What does not is not to be heard or recorded any more, and holds no device.
    func abandon() {
        abandoned.insert(buildNumber)
        for tap in taps { tap.leave() }
        worker = SerialWorker(workers)
        guard let leaving else { return }
        let (number, place) = (buildNumber, leavingPlace)
        (self.leaving, leavingPlace) = (nil, nil)
        // Each that hangs keeps a thread, one of its own.
        let end = Self.once { [workers] in
            for element in leaving.pipeline.ends { workers.submit { element.endAlone() } }
        }
        guard let place, !forgetsPlace else { return workers.submit(end) }
        placeIsOwedBy = number
        // What is in NULL has no place any more; who does not tell it does not keep the rest playing.
        workers.submit { [weak self] in
            let next = place()
            HostActor.enqueue { self?.keep(next, of: number) }
            end()
        }
        _ = clock.schedule(after: Self.placePatience) { [workers, weak self] in
            workers.submit(end)
            if self?.placeIsOwedBy == number { self?.settlePlace() }
        }
    }

    /// How long a build that is given up is asked where it is.
    private nonisolated static let placePatience = ClockTime.milliseconds(500)

    private func keep(_ place: PlaybackPlace?, of number: Int) {
        // Its user may have stopped it for good meanwhile, or it is too late.
        guard number == placeIsOwedBy else { return }
        if keepsPlace || machine.target != .stopped { self.place = place }
        settlePlace()
    }

    /// Calls `next` when it is known where a build begins.
    func whenPlaceIsSettled(_ next: @escaping @HostActor () -> Void) {
        if placeIsOwedBy == nil { next() } else { awaitingPlace.append(next) }
    }

    /// What a build before may still say of it comes too late.
    func settlePlace() {
        placeIsOwedBy = nil
        let waiting = awaitingPlace
        awaitingPlace = []
        for next in waiting { next() }
    }

    /// True where the build was abandoned: what it waited in is over, and nothing of it counts any more.
    func release(_ number: Int) -> Bool {
        guard abandoned.remove(number) != nil else { return false }
        feed(.released)
        return true
    }
}
