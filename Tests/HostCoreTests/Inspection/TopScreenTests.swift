import Testing

@testable import HostCore

@Suite struct TopScreenTests {
    private func metrics(
        frames: Int, bytes: Int, processor: Double, state: String = "playing", more: String = ""
    ) -> String {
        """
        # TYPE mediahost_start_time_seconds gauge
        mediahost_start_time_seconds 1000
        mediahost_quiet{reason="paused"} 0
        process_cpu_seconds_total \(processor)
        process_resident_memory_bytes 10485760
        mediahost_pipeline_state{pipeline="a\\"b",state="stopped"} 0
        mediahost_pipeline_state{pipeline="a\\"b",state="\(state)"} 1
        mediahost_pipeline_restarts_total{pipeline="a\\"b"} 0
        mediahost_pipeline_latency_seconds{pipeline="a\\"b"} 0.0415
        mediahost_pipeline_cpu_seconds_total{pipeline="a\\"b"} \(processor / 2)
        mediahost_pipeline_buffers_total{pipeline="a\\"b",place="sink"} \(frames)
        mediahost_pipeline_bytes_total{pipeline="a\\"b",place="sink"} \(bytes)
        mediahost_pipeline_dropped_total{pipeline="a\\"b",element="queue"} 2
        mediahost_pipeline_dropped_total{pipeline="a\\"b",element="sink"} 1
        \(more)
        """
    }

    @Test func ratesAreDifferencesByTheTimeBetween() {
        var screen = TopScreen()
        screen.feed(metrics(frames: 100, bytes: 1000, processor: 1), at: 10)
        screen.feed(metrics(frames: 150, bytes: 251_000, processor: 1.1), at: 12)
        #expect(
            screen.lines(now: 1065) == [
                "mediahost  running  up 1 min 5 s  CPU 5.0 %  memory 10.0 MiB",
                "",
                "PIPELINE  STATE    FRAMES/S  KBIT/S    CPU  DROPS  LATENCY  RESTARTS",
                "a\"b       playing      25.0    1000  2.5 %      3  41.5 ms         0",
            ])
    }

    @Test func theFirstPictureAndOneAfterARestartHaveNoRates() {
        var screen = TopScreen()
        #expect(screen.lines(now: 0) == [])
        screen.feed(metrics(frames: 100, bytes: 1000, processor: 1), at: 10)
        #expect(screen.lines(now: 1001)[3].hasPrefix("a\"b       playing         -       -    -"))
        screen.feed(metrics(frames: 10, bytes: 100, processor: 0.1), at: 11)
        #expect(screen.lines(now: 1001)[3].hasPrefix("a\"b       playing         -       -    -"))
    }

    @Test func severalPlacesHaveALineEach() {
        let source = #"mediahost_pipeline_buffers_total{pipeline="a\"b",place="source"} "#
        var screen = TopScreen()
        screen.feed(metrics(frames: 0, bytes: 0, processor: 0, more: source + "0"), at: 0)
        screen.feed(metrics(frames: 25, bytes: 1000, processor: 0, more: source + "50"), at: 1)
        let lines = screen.lines(now: 1001)
        #expect(lines.count == 6)
        #expect(lines[4].hasPrefix("  sink ") && lines[4].contains(" 25.0 ") && lines[4].hasSuffix(" 8"))
        #expect(lines[5].hasPrefix("  source ") && lines[5].contains(" 50.0 "))
    }

    @Test func aSmallTerminalHoldsThePicture() {
        let more = (0..<30).map { #"mediahost_pipeline_state{pipeline="p\#($0)",state="failed"} 1"# }
        var screen = TopScreen()
        screen.feed(metrics(frames: 1, bytes: 1, processor: 0, more: more.joined(separator: "\n")), at: 0)
        let lines = screen.lines(now: 1001, columns: 40, rows: 10)
        #expect(lines.count == 10 && lines.last == "… 25 more lines", "\(lines)")
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 40 }, "\(lines)")
        #expect(screen.lines(now: 1001).count == 34)
        #expect(screen.lines(now: 1001, columns: 80, hasColours: true).contains { $0.contains("\u{1B}[1;31mfailed") })
    }

    @Test(arguments: [
        "", "nonsense", "a{b=\"c", "a{b} x", "process_cpu_seconds_total NaN", "mediahost_start_time_seconds +Inf",
    ])
    func whatIsNoMetricIsNoPicture(_ text: String) {
        var screen = TopScreen()
        screen.feed(text, at: 0)
        screen.feed(text, at: 1)
        #expect(screen.lines(now: 1001).last == "there are no pipelines")
    }
}
