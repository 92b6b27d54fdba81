internal import GStreamerKit

/// What this process is made of, for bug reports.
public struct Versions: Sendable, Equatable {
    public var mediahost: String
    /// The library that runs, not the one it was built with: "1.22.0".
    public var gstreamer: String
    /// Plugins of this major version load.
    public var pluginABI: String
    /// The Swift runtime that runs.
    public var swift: String

    public init(mediahost: String, gstreamer: String, pluginABI: String, swift: String) {
        self.mediahost = mediahost
        self.gstreamer = gstreamer
        self.pluginABI = pluginABI
        self.swift = swift
    }

    /// - Thread: any; GStreamer need not have been started.
    public static var current: Versions {
        let gstreamer = GStreamer.version
        let words = gstreamer.split(separator: " ")
        return Versions(
            mediahost: HostVersion.text, gstreamer: words.last.map(String.init) ?? gstreamer,
            pluginABI: "\(HostInterface.abiMajor).\(HostInterface.abiMinor)", swift: "\(_SwiftStdlibVersion.current)")
    }

    public var text: String {
        """
        mediahost \(mediahost)
        GStreamer \(gstreamer)
        plugin ABI \(pluginABI)
        Swift \(swift)
        """
    }

    public var value: Value {
        [
            "mediahost": .string(mediahost), "gstreamer": .string(gstreamer), "plugin_abi": .string(pluginABI),
            "swift": .string(swift),
        ]
    }
}
