import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct LogTests {
    @Test func lineNamesLevelSourceAndText() {
        let entry = LogEntry(.error, source: "pipeline porch", "it broke")
        #expect(
            LogLine.render(entry, time: "12:00:00.000", colour: false)
                == "12:00:00.000 pipeline porch: error: it broke\n")
        let notice = LogEntry(.notice, source: "host", "ending")
        #expect(LogLine.render(notice, time: "12:00:00.000", colour: false) == "12:00:00.000 host: ending\n")
    }

    @Test func coloursChangeNoWord() {
        for level in [Log.Level.error, .warning, .notice, .debug] {
            let entry = LogEntry(level, source: "host", "a text")
            var painted = LogLine.render(entry, time: "T", colour: true)
            #expect(painted.contains("\u{1b}["))
            for code in ["\u{1b}[1;31m", "\u{1b}[1;33m", "\u{1b}[2m", "\u{1b}[1m", "\u{1b}[0m"] {
                painted = painted.split(separator: code, omittingEmptySubsequences: false).joined()
            }
            #expect(painted == LogLine.render(entry, time: "T", colour: false))
        }
    }

    @Test func coloursAreForTerminalsOfWhoWantsThem() {
        #expect(LogLine.wantsColour(isTerminal: true) { _ in nil })
        #expect(LogLine.wantsColour(isTerminal: true) { $0 == "NO_COLOR" ? "" : nil })
        #expect(!LogLine.wantsColour(isTerminal: false) { _ in nil })
        #expect(!LogLine.wantsColour(isTerminal: true) { $0 == "NO_COLOR" ? "1" : nil })
        #expect(!LogLine.wantsColour(isTerminal: true) { $0 == "TERM" ? "dumb" : nil })
    }

    /// A stream's title with an escape sequence in it must not reach the terminal, nor forge a line.
    @Test func textsFromOutsideCannotSteerTheTerminal() {
        let entry = LogEntry(.notice, source: "host", "a\u{1b}[2Jb\n12:00 host: forged\tü")
        #expect(LogLine.render(entry, time: "T", colour: false) == "T host: a?[2Jb\n    12:00 host: forged\tü\n")
    }

    @Test func journalFieldsSayWhatItIsAbout() {
        let entry = LogEntry(.error, source: "pipeline porch", "gone", element: "v4l2src0", code: "element-error")
        let fields = Dictionary(uniqueKeysWithValues: entry.fields.map { ("\($0.name)", $0.value) })
        #expect(
            fields == [
                "MESSAGE": "pipeline porch: gone", "PRIORITY": "3", "SYSLOG_IDENTIFIER": "mediahost",
                "GLIB_DOMAIN": "mediahost", "MEDIAHOST_SOURCE": "pipeline porch", "MEDIAHOST_PIPELINE": "porch",
                "MEDIAHOST_ELEMENT": "v4l2src0", "MEDIAHOST_CODE": "element-error",
            ])
        let plugin = LogEntry(.debug, source: "plugin replay", "x").fields.map { "\($0.name)=\($0.value)" }
        #expect(plugin.contains("MEDIAHOST_PLUGIN=replay") && plugin.contains("PRIORITY=7"))
        #expect(LogEntry(.notice, source: "host", "ending").fields[0].value == "ending")
    }

    @Test func aMaskSetLaterHoldsForEveryCopy() {
        let seen = Recorder<String>()
        let log = Log { seen.record($0.text) }
        let copy = log.from("plugin replay")
        copy.error("the password is hunter2")
        log.mask.set { $0.split(separator: "hunter2", omittingEmptySubsequences: false).joined(separator: "***") }
        copy.error("the password is hunter2")
        log.notice("hunter2")
        #expect(seen.elements == ["the password is hunter2", "the password is ***", "***"])
    }

    @Test func bridgedWarningsKeepTheirPipelineAndElement() {
        let seen = Recorder<LogEntry>()
        let log = Log(upTo: .debug) { seen.record($0) }
        var message = DebugMessage(
            level: .warning, category: "basesink", element: "sink", pipeline: "porch", function: "render", text: "late")
        GStreamerLog.write(message, to: log)
        message.text = "error: no such file"
        message.pipeline = ""
        GStreamerLog.write(message, to: log)
        #expect(
            seen.elements == [
                LogEntry(
                    .warning, source: "pipeline porch", "sink: late (basesink, render)", element: "sink",
                    code: "gstreamer-warning"),
                LogEntry(
                    .debug, source: "GStreamer", "sink: error: no such file (basesink, render)", element: "sink",
                    code: "gstreamer-warning"),
            ])
    }
}
