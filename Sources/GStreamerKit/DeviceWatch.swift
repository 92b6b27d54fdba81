internal import CGStreamer
internal import Locking

/// Devices of one kind as they come and go, by GStreamer's device providers.
///
/// ```
///   init ──start──▶ told ──stop──▶ (nothing told)
/// ```
/// Two at a time do not work: in GStreamer 1.22 a monitor that is let go silences every other one that has the same providers,
/// though they were made before (seen: no change is told any more, and nothing says so). So this one makes its monitor in
/// `start` and lets it go in `stop`: whoever wants another one starts it after that.
public final class DeviceWatch: Sendable {
    public enum Change: Sendable, Equatable {
        case added(DeviceIdentity)
        case removed(DeviceIdentity)
        /// The same device has another name.
        case changed(from: DeviceIdentity, to: DeviceIdentity)
    }

    // Owned; GstDeviceMonitor's and GstBus' functions may be called from any thread.
    private struct Open: @unchecked Sendable {
        let monitor: UnsafeMutablePointer<GstDeviceMonitor>
        let bus: UnsafeMutablePointer<GstBus>

        func close() {
            gst_bus_remove_watch(bus)
            gst_device_monitor_stop(monitor)
            gst_object_unref(bus)
            gst_object_unref(monitor)
        }
    }

    private let kind: Device.Kind
    private let handler: @Sendable (Change) -> Void
    private let open = Locked<Open?>(nil)

    /// - Parameter handler: called on the default main context's thread for each change from `start` on, also for some that the
    ///   list of `start` has in it; once or twice after `stop`, too, if it was about to be.
    public init(_ kind: Device.Kind, _ handler: @escaping @Sendable (Change) -> Void) {
        self.kind = kind
        self.handler = handler
    }

    deinit { stop() }

    /// The devices of the providers that tell of changes, or nil where none does. A provider that only looks, as ALSA's, does
    /// not count: it would never say that a device went, and leaves out those that are in use. Where a provider cannot start,
    /// the others' are listed and followed all the same.
    /// - Thread: worker: it loads the providers' plugins and may ask a sound server. Once.
    public func start() -> [DeviceIdentity]? {
        guard let monitor = gst_device_monitor_new() else { return nil }
        guard gst_device_monitor_add_filter(monitor, kind.rawValue, nil) != 0,
            let bus = gst_device_monitor_get_bus(monitor)
        else {
            gst_object_unref(monitor)
            return nil
        }
        follow(bus)
        let opened = Open(monitor: monitor, bus: bus)
        open.withLock { $0 = opened }
        _ = gst_device_monitor_start(monitor)
        return isTold(by: monitor) ? list(of: monitor) : nil
    }

    /// - Thread: worker, as `start`; after it.
    public func stop() {
        open.withLock { (open) -> Open? in
            defer { open = nil }
            return open
        }?.close()
    }

    private func follow(_ bus: UnsafeMutablePointer<GstBus>) {
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

    /// Whether a provider has started that tells of changes.
    private func isTold(by monitor: UnsafeMutablePointer<GstDeviceMonitor>) -> Bool {
        let names = gst_device_monitor_get_providers(monitor)
        defer { g_strfreev(names) }
        var cursor = names
        while let name = cursor?.pointee {
            cursor = cursor?.successor()
            // The one that the monitor has: there is one of each.
            guard let provider = gst_device_provider_factory_get_by_name(name) else { continue }
            defer { gst_object_unref(provider) }
            if gst_device_provider_can_monitor(provider) != 0, gst_device_provider_is_started(provider) != 0 {
                return true
            }
        }
        return false
    }

    private func list(of monitor: UnsafeMutablePointer<GstDeviceMonitor>) -> [DeviceIdentity] {
        let list = gst_device_monitor_get_devices(monitor)
        defer { g_list_free_full(list) { gst_object_unref($0) } }
        var found: [DeviceIdentity] = []
        var cursor = list
        while let link = cursor {
            cursor = link.pointee.next
            guard let device = link.pointee.data?.assumingMemoryBound(to: GstDevice.self) else { continue }
            if isFollowed(device) { found.append(DeviceIdentity(device)) }
        }
        return found
    }
}

/// Whether a provider has it that tells of changes: one that only looks tells of what it finds at its start, and never again.
private func isFollowed(_ device: UnsafeMutablePointer<GstDevice>) -> Bool {
    guard let parent = gst_object_get_parent(&device.pointee.parent) else { return false }
    defer { gst_object_unref(parent) }
    let provider = UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstDeviceProvider.self)
    return gst_device_provider_can_monitor(provider) != 0
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
            if let device, isFollowed(device) { handler(.added(DeviceIdentity(device))) }
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
