import PluginABI

extension HostExtension {
    public static let gst = HostExtension(rawValue: MH_EXT_GST)
}

extension Host {
    /// A `GstElement` of a pipeline that is built. It is a new reference, which the plugin gives back by
    /// `gst_object_unref` when the build is released at the latest.
    /// - Thread: main, in `activate` or while active.
    public func element(_ name: ElementName) throws(PluginError) -> UnsafeMutableRawPointer {
        let host = try open("find element \(name)")
        guard let find = tables.gst?.pointee.element else { throw missing(.gst) }
        var found: UnsafeMutableRawPointer?
        let status = name.text.withText { find(host, $0, &found) }
        try check(status, "there is no element \(name) now")
        guard let found else { throw PluginError("the host gave no element \(name)") }
        return found
    }
}
