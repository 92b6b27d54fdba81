internal import CGStreamer
import Locking

/// What the streaming threads of one pipeline take of the processors.
///
/// Threads are told apart by when they enter and leave the pipeline's tasks: GStreamer takes them from a pool, and gives them
/// back. Threads that elements make for themselves, as encoders do, are not among them.
public final class StreamThreads: Sendable {
    private struct State {
        /// What each had taken when it came, by its number.
        var running: [Int32: Int64] = [:]
        /// Of those that have left.
        var left: Int64 = 0
    }

    private let state = Locked(State())

    public init() {}

    /// What they have taken so far. - Thread: any.
    public var time: ClockTime {
        let (running, left) = state.withLock { ($0.running, $0.left) }
        return ClockTime(
            nanoseconds: running.reduce(left) { sum, thread in
                sum + max(0, mh_thread_time(thread.key) - thread.value)
            })
    }

    /// - Thread: the streaming thread itself, once.
    func enter() {
        let (number, time) = (mh_thread_number(), max(0, mh_thread_time(0)))
        state.withLock { $0.running[number] = time }
    }

    /// - Thread: the streaming thread itself, once.
    func leave() {
        let (number, time) = (mh_thread_number(), max(0, mh_thread_time(0)))
        state.withLock {
            guard let began = $0.running.removeValue(forKey: number) else { return }
            $0.left += max(0, time - began)
        }
    }
}

extension Bus {
    /// Has the pipeline's streaming threads counted, from its next start on, and those of sound devices run in time
    /// (`SoundThread`). Once for each bus.
    /// - Thread: any, before it leaves NULL.
    public func count(_ threads: StreamThreads) {
        let box = Unmanaged.passRetained(threads)
        // The bus' own lock orders setting the handler before its calls.
        Handover.give(box.toOpaque())
        gst_bus_set_sync_handler(
            pointer,
            { _, message, context in
                guard let message, let context, message.pointee.type == GST_MESSAGE_STREAM_STATUS else {
                    return GST_BUS_PASS
                }
                Handover.take(context)
                var type = GST_STREAM_STATUS_TYPE_CREATE
                var owner: UnsafeMutablePointer<GstElement>?
                gst_message_parse_stream_status(message, &type, &owner)
                let threads = Unmanaged<StreamThreads>.fromOpaque(context)
                switch type {
                case GST_STREAM_STATUS_TYPE_ENTER:
                    threads._withUnsafeGuaranteedRef { $0.enter() }
                    if let owner, SoundThread.serves(Element(retaining: owner)) { SoundThread.begin() }
                case GST_STREAM_STATUS_TYPE_LEAVE:
                    threads._withUnsafeGuaranteedRef { $0.leave() }
                    SoundThread.end()
                default: break
                }
                return GST_BUS_PASS
            }, box.toOpaque(),
            { $0.map { Unmanaged<StreamThreads>.fromOpaque($0).release() } })
    }
}
