internal import CGStreamer
public func gkVersion() -> String { String(cString: gst_version_string()) }
