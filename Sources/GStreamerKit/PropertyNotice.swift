internal import CGStreamer
import Locking

/// Tells when a property of an element may have changed. Cancelling twice is harmless; one that is dropped stays.
public final class PropertyNotice: Sendable {
    private let element: Element
    private let id: Locked<gulong>

    fileprivate init(element: Element, id: gulong) {
        self.element = element
        self.id = Locked(id)
    }

    /// No call follows, but one may be under way. - Thread: any.
    public func cancel() {
        let id = id.withLock { id in
            defer { id = 0 }
            return id
        }
        if id != 0 { g_signal_handler_disconnect(UnsafeMutableRawPointer(element.pointer), id) }
    }
}

extension Element {
    /// Calls `handler` whenever the element says that the property has another value.
    ///
    /// The handler runs on whichever thread the element says so from, a streaming thread too, and perhaps for each buffer: it
    /// must not wait, allocate or ask the element.
    /// - Returns: nil where there is no such property.
    public func onChange(of property: String, _ handler: @escaping @Sendable () -> Void) -> PropertyNotice? {
        guard hasProperty(property) else { return nil }
        let box = Unmanaged.passRetained(PropertyNoticeBox(handler))
        // The signal's lock orders connecting before its calls.
        Handover.give(box.toOpaque())
        let changed: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, context in
            guard let context else { return }
            Handover.take(context)
            Unmanaged<PropertyNoticeBox>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.handler() }
        }
        let id = g_signal_connect_data(
            pointer, "notify::\(property)", unsafeBitCast(changed, to: GCallback.self), box.toOpaque(),
            { context, _ in context.map { Unmanaged<PropertyNoticeBox>.fromOpaque($0).release() } },
            GConnectFlags(rawValue: 0))
        return id == 0 ? nil : PropertyNotice(element: self, id: id)
    }
}

/// Owns the closure of a signal handler; released by GLib's destroy-notify.
private final class PropertyNoticeBox: Sendable {
    let handler: @Sendable () -> Void
    init(_ handler: @escaping @Sendable () -> Void) { self.handler = handler }
}
