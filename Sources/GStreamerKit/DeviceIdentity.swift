internal import CGStreamer

/// What a device is called, by people and by the server that has it.
public struct DeviceIdentity: Sendable, Hashable {
    /// For people; from the device itself, so it may hold any character.
    public var name: String
    /// "alsa_output.pci-0000_00_1f.3.analog-stereo", "hw:0"; nil where it does not tell.
    public var node: String?

    public init(name: String, node: String? = nil) {
        self.name = name
        self.node = node
    }
}

extension DeviceIdentity {
    /// Makes and opens nothing.
    init(_ device: UnsafeMutablePointer<GstDevice>) {
        name = takeString(gst_device_get_display_name(device)) ?? ""
        if let details = gst_device_get_properties(device) {
            defer { gst_structure_free(details) }
            node = borrowString(gst_structure_get_string(details, "node.name"))
        }
        if node == nil { node = takeString(mh_gst_device_internal_name(device)) }
    }
}
