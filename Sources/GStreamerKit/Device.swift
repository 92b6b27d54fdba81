internal import CGStreamer

/// A camera, microphone or loudspeaker that GStreamer found: what opens it, and what it can do.
public struct Device: Sendable {
    /// What devices are asked for by.
    public enum Kind: String, Sendable, CaseIterable {
        case videoSource = "Video/Source"
        case audioSource = "Audio/Source"
        case audioSink = "Audio/Sink"
    }

    /// One property that makes an element open this device and no other.
    public struct Property: Sendable, Equatable {
        public var name: String
        /// As `gst_value_serialize` writes it, strings without quotes.
        public var text: String

        public init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    public var kind: Kind
    /// For people; from the device itself, so it may hold any character.
    public var name: String
    /// The element that opens it, "v4l2src".
    public var factory: String
    public var properties: [Property]
    /// What it can deliver or take; nil where it does not tell.
    public var caps: Caps?
    /// It gives what a loudspeaker plays, and is no microphone.
    public var isMonitor: Bool

    public init(
        kind: Kind, name: String, factory: String, properties: [Property] = [], caps: Caps? = nil,
        isMonitor: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.factory = factory
        self.properties = properties
        self.caps = caps
        self.isMonitor = isMonitor
    }
}

extension Device {
    /// Makes the device's element to see what it sets, and throws it away; nothing is opened.
    init?(_ kind: Kind, _ device: UnsafeMutablePointer<GstDevice>) {
        guard let made = gst_device_create_element(device, nil) else { return nil }
        gst_object_ref_sink(made)
        let element = Element(adopting: made)
        guard let factory = element.factoryName else { return nil }
        self.init(
            kind: kind, name: takeString(gst_device_get_display_name(device)) ?? factory, factory: factory,
            properties: element.changedProperties, caps: gst_device_get_caps(device).map { Caps(adopting: $0) })
        guard let details = gst_device_get_properties(device) else { return }
        defer { gst_structure_free(details) }
        isMonitor = borrowString(gst_structure_get_string(details, "device.class")) == "monitor"
    }
}
