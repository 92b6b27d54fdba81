internal import CGStreamer

/// Devices of one kind as they come and go, by GStreamer's device providers.
///
/// ```
///   init ──follow──▶ (nothing told) ──start──▶ told ──stop──▶ (nothing told)
/// ```
/// One that was started must be stopped before it is let go.
public final class DeviceWatch: Sendable {
    public enum Change: Sendable, Equatable {
        case added(DeviceIdentity)
        case removed(DeviceIdentity)
        /// The same device has another name.
        case changed(from: DeviceIdentity, to: DeviceIdentity)
    }

    // Never written after init; GstDeviceMonitor's and GstBus' functions may be called from any thread.
    private nonisolated(unsafe) let monitor: UnsafeMutablePointer<GstDeviceMonitor>
    // The same; owned.
    private nonisolated(unsafe) let bus: UnsafeMutablePointer<GstBus>

    public init?(_ kind: Device.Kind) {
        guard let monitor = gst_device_monitor_new() else { return nil }
        guard gst_device_monitor_add_filter(monitor, kind.rawValue, nil) != 0,
            let bus = gst_device_monitor_get_bus(monitor)
        else {
            gst_object_unref(monitor)
            return nil
        }
        self.monitor = monitor
        self.bus = bus
    }

    deinit {
        gst_object_unref(bus)
        gst_object_unref(monitor)
    }

    /// Calls `handler` on the default main context's thread for each change from the start on, also for some that the list of
    /// `start` has in it, until `cancel`.
    /// - Thread: main; once, before `start`.
    public func follow(_ handler: @escaping @Sendable (Change) -> Void) {
        let box = Unmanaged.passRetained(DeviceWatchBox(handler))
        let id = gst_bus_add_watch_full(
            bus, G_PRIORITY_DEFAULT,
            { _, message, context in
                guard let message, let context else { return 1 }
                Unmanaged<DeviceWatchBox>.fromOpaque(context).takeUnretainedValue().receive(message)
                return 1
            }, box.toOpaque(), { $0.map { Unmanaged<DeviceWatchBox>.fromOpaque($0).release() } })
        if id == 0 { box.release() }
    }

    /// No call of the handler follows. - Thread: main.
    public func cancel() { gst_bus_remove_watch(bus) }

    /// The devices that are there. Where a provider cannot start, the others' are listed and followed all the same.
    /// - Thread: worker: it loads the providers' plugins and may ask a sound server.
    public func start() -> [DeviceIdentity] {
        _ = gst_device_monitor_start(monitor)
        let list = gst_device_monitor_get_devices(monitor)
        defer { g_list_free_full(list) { gst_object_unref($0) } }
        var found: [DeviceIdentity] = []
        var cursor = list
        while let link = cursor {
            cursor = link.pointee.next
            guard let device = link.pointee.data?.assumingMemoryBound(to: GstDevice.self) else { continue }
            found.append(DeviceIdentity(device))
        }
        return found
    }

    /// - Thread: worker, as `start`; after it.
    public func stop() { gst_device_monitor_stop(monitor) }
}

/// Owns the closure of a watch; released by GLib's destroy-notify.
private final class DeviceWatchBox {
    private let handler: @Sendable (DeviceWatch.Change) -> Void

    init(_ handler: @escaping @Sendable (DeviceWatch.Change) -> Void) { self.handler = handler }

    func receive(_ message: UnsafeMutablePointer<GstMessage>) {
        var device: UnsafeMutablePointer<GstDevice>?
        var before: UnsafeMutablePointer<GstDevice>?
        defer {
            if let device { gst_object_unref(device) }
            if let before { gst_object_unref(before) }
        }
        switch mh_gst_message_type(message) {
        case GST_MESSAGE_DEVICE_ADDED:
            gst_message_parse_device_added(message, &device)
            if let device { handler(.added(DeviceIdentity(device))) }
        case GST_MESSAGE_DEVICE_REMOVED:
            gst_message_parse_device_removed(message, &device)
            if let device { handler(.removed(DeviceIdentity(device))) }
        case GST_MESSAGE_DEVICE_CHANGED:
            gst_message_parse_device_changed(message, &device, &before)
            if let device, let before { handler(.changed(from: DeviceIdentity(before), to: DeviceIdentity(device))) }
        default: break
        }
    }
}
