internal import CGStreamer

import Locking
import Synchronization

/// The running time of what a pipeline shows now: a live one shows it late by its latency. It stands still while the pipeline does not
/// play.
final class RunningTime: Sendable {
    private let element: Element
    /// What is waited for.
    private let waits = Locked<[Wait]>([])

    // An ID of GStreamer's, which may be used from any thread; never written after init.
    private struct Wait: @unchecked Sendable {
        let id: GstClockID
    }

    /// Longer than this nobody waits at once: a stream that has pictures seconds apart must see a change of state.
    private static let longestWait = ClockTime.milliseconds(500)

    /// The base time that a flush has made void; a new one comes when all sinks have prerolled.
    private let void = Atomic(UInt64.max)

    private let lateness = Atomic<Int64>(0)

    init(of pipeline: Pipeline) { element = pipeline.element }

    /// By how much sinks show what comes to them after its time; to be told whenever that changes. - Thread: any.
    var latency: ClockTime {
        get { ClockTime(nanoseconds: lateness.load(ordering: .relaxed)) }
        set { lateness.store(newValue.nanoseconds, ordering: .relaxed) }
    }

    /// A flush has set running time back to its beginning. - Thread: any.
    func beginAnew() {
        void.store(UInt64(gst_element_get_base_time(element.pointer)), ordering: .relaxed)
    }

    /// Returns when that time has come, after half a second, or when it is woken.
    /// - Parameter isOver: asked once it can be woken. Who makes it so and then wakes is heard, before or after.
    /// - Returns: whether there is a clock to wait by: not before the pipeline plays for the first time.
    /// - Thread: stream, where a sink would wait, too.
    @discardableResult
    func wait(until due: ClockTime, unless isOver: () -> Bool = { false }) -> Bool {
        var left = min(due - now, Self.longestWait)
        guard left > .zero else { return true }
        guard var clock = gst_element_get_clock(element.pointer) else { return false }
        defer { gst_object_unref(clock) }
        // While time stands still its clock may, too, as that of a sound card does: who waits by it comes to no time at all.
        if !moves || !hasBegun {
            gst_object_unref(clock)
            clock = gst_system_clock_obtain()
            left = Self.longestWait
        }
        guard let id = gst_clock_new_single_shot_id(clock, gst_clock_get_time(clock) + ClockTime.raw(left)) else {
            return false
        }
        let wait = Wait(id: id)
        waits.withLock { $0.append(wait) }
        if !isOver() { gst_clock_id_wait(id, nil) }
        waits.withLock { waits in waits.removeAll { $0.id == wait.id } }
        gst_clock_id_unref(id)
        return true
    }

    /// Returns when that time has come, when `isOver`, when the pad is flushed or at rest, or where there is no clock; and after half a
    /// second while sinks have nothing to show after a flush: what makes time begin may come behind what waits here.
    /// - Parameter isOver: see `wait(until:unless:)`.
    /// - Thread: the streaming thread of that pad.
    func waitPatiently(until due: ClockTime, on pad: Pad, unless isOver: () -> Bool) {
        // A pad that becomes inactive gets no flush.
        while now < due, !pad.isFlushing, !isOver(), wait(until: due, unless: isOver), hasBegun {}
    }

    /// In a pause a base time that a flush made void stays so: what has prerolled stands where it is.
    private var hasBegun: Bool {
        let isVoid = UInt64(gst_element_get_base_time(element.pointer)) == void.load(ordering: .relaxed)
        return mh_gst_is_prerolling(element.pointer) == 0 && !(moves && isVoid)
    }

    /// Nobody waits any longer. - Thread: any.
    func wake() { waits.withLock { waits in for wait in waits { gst_clock_id_unschedule(wait.id) } } }

    /// Whether it goes on. Not by the pipeline's state: while a sink that came back prerolls, that says PAUSED, and time goes on.
    var moves: Bool { mh_gst_state_target(element.pointer) == GST_STATE_PLAYING }

    /// - Thread: any; takes the pipeline's and its clock's own locks for a moment.
    var now: ClockTime { played - latency }

    private var played: ClockTime {
        guard moves,
            let clock = gst_element_get_clock(element.pointer)
        else {
            return ClockTime(gst_element_get_start_time(element.pointer)) ?? .zero
        }
        defer { gst_object_unref(clock) }
        let base = gst_element_get_base_time(element.pointer)
        guard UInt64(base) != void.load(ordering: .relaxed) else { return .zero }
        return ClockTime(nanoseconds: Int64(bitPattern: UInt64(gst_clock_get_time(clock) &- base)))
    }
}
