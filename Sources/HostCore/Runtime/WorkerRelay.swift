internal import CGLib
internal import GStreamerKit
import Glibc
import Locking
import Synchronization

/// What a worker that has just finished does next: where work comes close upon work, as from a client that sets one property
/// after the other, it looks for more a little while before it goes to sleep. To be woken on another processor takes longer
/// than to set a property.
///
/// Lock order: `desk` is a leaf.
final class WorkerRelay: Sendable {
    typealias Work = @Sendable () -> Void

    private enum Desk: Sendable {
        case nobody
        /// A worker looks for more.
        case looking
        /// It is to do this.
        case given(Work)
    }

    /// What comes within this time of the end of something else has come close upon it. A client on a kept connection gets its
    /// answer and asks again within 100 µs, 99 times of 100 within 250.
    static let moment = ClockTime(nanoseconds: 300_000)

    private let desk = Locked(Desk.nobody)
    /// When the last work was done, monotonic nanoseconds; 0 before the first.
    private let lastEnd = Atomic<Int64>(0)
    private let clock: any HostClock
    private let looks: Bool

    /// - Parameter processors: with one alone nobody has to be woken on another.
    init(clock: any HostClock = SystemClock(), processors: Int = Int(g_get_num_processors())) {
        self.clock = clock
        looks = processors > 1
    }

    /// Gives it to a worker that looks for more.
    /// - Returns: false where there is none.
    /// - Thread: any.
    func offer(_ work: @escaping Work) -> Bool {
        desk.withLock { desk in
            guard case .looking = desk else { return false }
            desk = .given(work)
            return true
        }
    }

    /// Does this, and what is offered close upon it; keeps nothing of what is done.
    /// - Thread: worker.
    func run(_ first: consuming @escaping Work) {
        var next: Work? = first
        while next != nil {
            let isClose = clock.monotonic() < ClockTime(nanoseconds: lastEnd.load(ordering: .relaxed)) + Self.moment
            next.take()?()
            let end = clock.monotonic()
            lastEnd.store(end.nanoseconds, ordering: .relaxed)
            next = isClose && looks ? look(until: end + Self.moment) : nil
        }
    }

    private func look(until end: ClockTime) -> Work? {
        let begins = desk.withLock { desk in
            guard case .nobody = desk else { return false }
            desk = .looking
            return true
        }
        guard begins else { return nil }
        while clock.monotonic() < end {
            if let work = take(endsLooking: false) { return work }
            // Somebody may need this very processor.
            sched_yield()
        }
        return take(endsLooking: true)
    }

    private func take(endsLooking: Bool) -> Work? {
        desk.withLock { desk in
            if case .given(let work) = desk {
                desk = .nobody
                return work
            }
            if endsLooking { desk = .nobody }
            return nil
        }
    }
}
