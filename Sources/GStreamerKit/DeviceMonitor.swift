internal import CGStreamer

/// Asks GStreamer's device providers what is plugged in.
public enum DeviceMonitor {
    /// The devices of these kinds at this moment, in the providers' order.
    ///
    /// - Thread: worker or a short-lived process: it loads the providers' plugins and may ask a sound server.
    public static func devices(_ kinds: [Device.Kind] = Device.Kind.allCases) -> [Device] {
        kinds.flatMap { kind -> [Device] in
            guard let monitor = gst_device_monitor_new() else { return [] }
            defer { gst_object_unref(monitor) }
            guard gst_device_monitor_add_filter(monitor, kind.rawValue, nil) != 0 else { return [] }
            // Where one provider cannot start, the others' devices are listed all the same.
            let isStarted = gst_device_monitor_start(monitor) != 0
            defer { if isStarted { gst_device_monitor_stop(monitor) } }
            let list = gst_device_monitor_get_devices(monitor)
            defer { g_list_free_full(list) { gst_object_unref($0) } }
            var found: [Device] = []
            var cursor = list
            while let link = cursor {
                cursor = link.pointee.next
                guard let raw = link.pointee.data else { continue }
                if let device = Device(kind, raw.assumingMemoryBound(to: GstDevice.self)) { found.append(device) }
            }
            return found
        }
    }
}
