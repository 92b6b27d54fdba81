internal import CGStreamer

/// One owned reference to a pipeline's bus. A bus has one reader: either one watch or `next`.
public final class Bus: Sendable {
    // Never written after init; GstBus is made to be used from any thread.
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<GstBus>
    /// Only compared with the source of messages, never dereferenced.
    private nonisolated(unsafe) let pipeline: UnsafeMutablePointer<GstObject>?

    init(adopting pointer: UnsafeMutablePointer<GstBus>, pipeline: UnsafeMutablePointer<GstObject>?) {
        self.pointer = pointer
        self.pipeline = pipeline
    }

    deinit { gst_object_unref(pointer) }

    /// Calls `handler` on the default main context's thread for every message, in order, until the watch is cancelled.
    /// - Thread: main. Nil where the bus already has a watch.
    public func watch(_ handler: @escaping @Sendable (BusMessage) -> Void) -> BusWatch? {
        let box = Unmanaged.passRetained(BusWatchBox(pipeline: pipeline, handler: handler))
        let id = gst_bus_add_watch_full(
            pointer, G_PRIORITY_DEFAULT,
            { _, message, context in
                guard let message, let context else { return 1 }
                Unmanaged<BusWatchBox>.fromOpaque(context).takeUnretainedValue().receive(message)
                return 1
            }, box.toOpaque(), { $0.map { Unmanaged<BusWatchBox>.fromOpaque($0).release() } })
        if id == 0 {
            box.release()
            return nil
        }
        return BusWatch(bus: self)
    }

    /// Posts a message of our own, which comes behind all that elements have posted so far.
    /// - Thread: any. - Parameter name: letters, digits and `-`.
    public func postMark(_ name: String) {
        gst_bus_post(pointer, gst_message_new_application(nil, gst_structure_new_empty(name)))
    }

    /// Waits for the next message, at most `timeout`; nil when there was none.
    /// - Thread: worker. Never mix with `watch`.
    public func next(timeout: ClockTime) -> BusMessage? {
        guard let message = gst_bus_timed_pop(pointer, ClockTime.raw(timeout)) else { return nil }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self)) }
        return BusMessage(message, pipeline: pipeline)
    }
}

/// The one watch of a bus. `cancel` ends it; twice is harmless.
public final class BusWatch: Sendable {
    private let bus: Bus

    init(bus: Bus) { self.bus = bus }

    /// No call follows. - Thread: main.
    public func cancel() { gst_bus_remove_watch(bus.pointer) }
}

/// Owns the closure of a watch; released by GLib's destroy-notify.
private final class BusWatchBox {
    private let pipeline: UnsafeMutablePointer<GstObject>?
    private let handler: @Sendable (BusMessage) -> Void

    init(pipeline: UnsafeMutablePointer<GstObject>?, handler: @escaping @Sendable (BusMessage) -> Void) {
        self.pipeline = pipeline
        self.handler = handler
    }

    func receive(_ message: UnsafeMutablePointer<GstMessage>) { handler(BusMessage(message, pipeline: pipeline)) }
}
