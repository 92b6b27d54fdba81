internal import CGStreamer

/// One of GStreamer's own plugins, as its registry knows it.
public struct RegisteredPlugin: Sendable, Equatable {
    public var name: String
    /// The shared library; nil for what is part of the process.
    public var file: String?
    /// It crashed or did not load when it was scanned, and is not tried again until the file changes.
    public var isBlacklisted: Bool

    public init(name: String, file: String?, isBlacklisted: Bool) {
        self.name = name
        self.file = file
        self.isBlacklisted = isBlacklisted
    }

    /// All there are. - Thread: any, after `GStreamer.start`.
    public static func all() -> [RegisteredPlugin] {
        let list = gst_registry_get_plugin_list(gst_registry_get())
        defer { gst_plugin_list_free(list) }
        var found: [RegisteredPlugin] = []
        var cursor = list
        while let link = cursor {
            cursor = link.pointee.next
            guard let plugin = link.pointee.data.map({ OpaquePointer($0) }) else { continue }
            let flags = UnsafeMutableRawPointer(plugin).assumingMemoryBound(to: GstObject.self).pointee.flags
            found.append(
                RegisteredPlugin(
                    name: borrowString(gst_plugin_get_name(plugin)) ?? "",
                    file: borrowString(gst_plugin_get_filename(plugin)),
                    isBlacklisted: flags & GST_PLUGIN_FLAG_BLACKLISTED.rawValue != 0))
        }
        return found
    }
}
