import Testing

@testable import HostCore

@Suite struct StatusTableTests {
    private func table(state: String = "running", desired: Value = [], reason: String = "buffers pass") -> StatusTable {
        StatusTable(
            status: [
                "version": "0.1.0", "safe_mode": false, "uptime_ns": 192_000_000_000,
                "lifecycle": ["state": .string(state), "desired": desired, "interrupters": []],
                "configuration": ["file": "home.yaml", "reloads": 1, "last_reload": "done"],
                "plugins": [
                    "replay": ["state": "active", "id": "org.mediahost.replay", "version": "0.1.0", "restarts": 0],
                    "lost": ["state": "failed", "message": "no such file", "restarts": 0],
                ],
            ],
            pipelines: [
                [
                    "name": "前門", "state": "playing", "health": "good", "restarts": 2,
                    "position_ns": 65_250_000_000, "reason": ["text": .string(reason)],
                ],
                ["name": "porch", "state": "failed", "health": "bad", "restarts": 0, "position_ns": .null],
            ])
    }

    @Test func columnsStandBelowTheirHeads() {
        #expect(
            table().lines(columns: nil, hasColours: false) == [
                "mediahost  running",
                "up         3 min 12 s, version 0.1.0",
                "config     home.yaml, reloaded 1 time, the last one: done",
                "",
                "PIPELINE  STATE    HEALTH  RESTARTS  POSITION  WHY",
                // Two columns a character.
                "前門      playing  good           2    1:05.2  buffers pass",
                "porch     failed   bad            0         -",
                "",
                "PLUGIN  STATE   WHAT",
                "replay  active  org.mediahost.replay 0.1.0",
                "lost    failed  no such file",
            ])
    }

    @Test func reasonsThatHoldStandBesideTheState() {
        let lines = table(state: "paused", desired: ["paused", "locked"]).lines(columns: nil, hasColours: false)
        #expect(lines.first == "mediahost  paused (locked)")
    }

    @Test(arguments: [20, 40, 60, 80]) func noLineIsWiderThanTheTerminal(_ columns: Int) {
        let long = table(reason: "front-camera: no such device, and 前門 の カメラ is not there either, so nothing is seen")
        let lines = long.lines(columns: columns, hasColours: false)
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns }, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("…") })
    }

    @Test func coloursChangeNoLetterAndNoColumn() {
        let plain = table().lines(columns: 60, hasColours: false)
        let coloured = table().lines(columns: 60, hasColours: true)
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
        #expect(coloured.contains { $0.contains("\u{1B}[1;31mfailed\u{1B}[0m") })
    }

    @Test func aTextFromOutsideMovesNoCursor() {
        let lines = table(reason: "a\u{1B}[2Jb\nc").lines(columns: nil, hasColours: true)
        #expect(lines.contains { $0.contains("a?[2Jb c") })
    }

    @Test(arguments: [
        ("abc", 3), ("前門", 4), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("☀\u{FE0F}", 2), ("", 0), ("…", 1),
    ])
    func widthIsWhatATerminalTakes(_ text: String, _ columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }

    @Test func aWideCharacterIsNotCutInTwo() {
        #expect(TextWidth.fitted("前門カメラ", to: 4) == "前…")
        #expect(TextWidth.fitted("abcd", to: 4) == "abcd")
        #expect(TextWidth.fitted("abcde", to: 4) == "abc…")
    }

    @Test(arguments: [
        (Int64(0), "0 s", "0:00.0"), (59_900_000_000, "59 s", "0:59.9"), (3_600_000_000_000, "1 h", "1:00:00.0"),
        (90_061_000_000_000, "1 d 1 h", "25:01:01.0"),
    ])
    func timesAreShort(_ nanoseconds: Int64, _ long: String, _ position: String) {
        #expect(TimeText.long(nanoseconds: nanoseconds) == long)
        #expect(TimeText.position(nanoseconds: nanoseconds) == position)
    }
}
