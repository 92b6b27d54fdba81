import GStreamerKit
import Testing

@Test func version() { #expect(gkVersion().contains("GStreamer 1.")) }
