import Testing

@testable import HostCore

@Suite struct AnswerTableTests {
    private let schema: Value = [
        "type": "object",
        "properties": [
            "running": ["type": "integer"],
            "queue_bytes": ["type": "integer", "format": "size"],
            "timers": [
                "type": "array", "x-columns": ["pet", "progress", "left", "due", "sound"],
                "items": [
                    "type": "object",
                    "properties": [
                        "pet": ["type": "string"], "progress": ["type": "number", "format": "progress"],
                        "left": ["type": "integer", "format": "duration"], "sound": ["type": "boolean"],
                        "due": ["type": "integer"], "secret": ["type": "string"],
                    ],
                ],
            ],
            "finished_ones": [
                "type": "array", "x-columns": ["pet"],
                "items": ["type": "object", "properties": ["pet": ["type": "string"]]],
            ],
        ],
    ]

    private let answer: Value = [
        "running": 2, "queue_bytes": 2048, "finished_ones": [],
        "timers": [
            [
                "pet": "snowy", "progress": .double(0.305), "left": 1_965_000_000_000, "due": 7, "sound": true,
                "secret": "x",
            ],
            ["pet": "a\u{1B}[2J", "progress": .null, "due": 12],
        ],
    ]

    @Test func listsAreTablesAndNumbersHaveTheirForm() throws {
        let table = try #require(AnswerTable(answer, schema: schema))
        #expect(
            table.lines(columns: nil, hasColours: false) == [
                "running 2   queue bytes 2KiB",
                "",
                "timers",
                "PET    PROGRESS                      LEFT         DUE  SOUND",
                "snowy  [######--------------]  30 %  32 min 45 s    7  yes",
                "a?[2J  -                             -             12  -",
                "",
                "finished ones: none",
            ])
    }

    @Test func theTerminalsWidthIsKept() throws {
        let table = try #require(AnswerTable(answer, schema: schema))
        for line in table.lines(columns: 40, hasColours: false) {
            #expect(TextWidth.columns(of: line) <= 40, "\(line)")
        }
        #expect(table.lines(columns: 80, hasColours: true).contains { $0.contains("\u{1B}[1mPET") })
    }

    @Test func whatDeclaresNoTableIsNone() {
        #expect(AnswerTable(answer, schema: nil) == nil)
        #expect(AnswerTable(answer, schema: ["type": "object", "properties": ["timers": ["type": "array"]]]) == nil)
        // What came is not what was declared.
        #expect(
            AnswerTable(.null, schema: schema)?.lines(columns: nil, hasColours: false).contains("timers: none") == true)
        #expect(
            AnswerTable(["timers": [1, "x"]], schema: schema)?.lines(columns: nil, hasColours: false).isEmpty == false)
    }

    @Test(arguments: [(0.0, 0, "0"), (0.999, 19, "99"), (1, 20, "100"), (7, 20, "100"), (-1, 0, "0"), (.nan, 0, "0")])
    func bars(_ fraction: Double, _ done: Int, _ percent: String) {
        let bar = AnswerTable.bar(fraction)
        #expect(
            bar.filter { $0 == "#" }.count == done && bar.hasSuffix(" \(percent) %") && bar.utf8.count == 28, "\(bar)")
    }

    @Test func momentsAreShownWhereTheReaderIs() {
        #expect(AnswerTable.moment(0).hasPrefix("19"))
        #expect(AnswerTable.moment(0).utf8.count == 16)
        #expect(AnswerTable.moment(.max).utf8.count >= 1 && AnswerTable.moment(.min).utf8.count >= 1)
    }

    @Test(arguments: [
        #"{"type":"array","items":{"type":"string"},"x-columns":["a"]}"#,
        #"{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}},"x-columns":["b"]}"#,
        #"{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}},"x-columns":"a"}"#,
        #"{"type":"string","format":"progress"}"#, #"{"type":"number","format":"end-time"}"#,
    ])
    func whatGoesWithNothingIsRefused(_ text: String) throws {
        let broken = #"{"type":"object","properties":{"x":\#(text)}}"#
        #expect(throws: ValueSchema.Broken.self) { try ValueSchema(json: broken) }
    }

    @Test func aDeclaredTableIsASoundSchema() throws {
        _ = try ValueSchema(json: JSONText.render(schema))
    }
}
