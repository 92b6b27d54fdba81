internal import PluginABI

/// Pipelines of the test's own, shown to a plugin that works on GStreamer's objects.
extension FakeInstance {
    /// - Parameter pipeline: a `GstElement`, the test's.
    public func tellBuilt(_ name: String, _ pipeline: UnsafeMutableRawPointer) throws(Broken) {
        let access = try table(MH_EXT_GST, as: mh_gst_plugin_1.self)
        fake.lend(name) { access.pointee.built?(plugin, $0, pipeline) }
    }

    public func tellReleased(_ name: String, _ pipeline: UnsafeMutableRawPointer) throws(Broken) {
        let access = try table(MH_EXT_GST, as: mh_gst_plugin_1.self)
        fake.lend(name) { access.pointee.released?(plugin, $0, pipeline) }
    }
}
