internal import CGStreamer

import Synchronization

/// The running time of a pipeline now. It stands still while the pipeline does not play.
final class RunningTime: Sendable {
    private let element: Element
    /// The base time that a flush has made void; a new one comes when all sinks have prerolled.
    private let void = Atomic(UInt64.max)

    init(of pipeline: Pipeline) { element = pipeline.element }

    /// A flush has set running time back to its beginning. - Thread: any.
    func beginAnew() {
        void.store(UInt64(gst_element_get_base_time(element.pointer)), ordering: .relaxed)
    }

    /// - Thread: any; takes the pipeline's and its clock's own locks for a moment.
    var now: ClockTime {
        // Not its state: while a sink that came back prerolls, that says PAUSED, and time goes on.
        guard mh_gst_state_target(element.pointer) == GST_STATE_PLAYING,
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
