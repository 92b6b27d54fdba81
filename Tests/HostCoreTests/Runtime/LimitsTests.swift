import GStreamerKit
import Testing

@testable import HostCore

@Suite struct LimitsTests {
    private static let meminfo =
        "MemTotal:        1000000 kB\nMemFree:  100 kB\nMemAvailable:     307200 kB\nBuffers: 5 kB\n"

    private func reader(_ files: [String: String]) -> (String) -> String? { { files[$0] } }

    @Test func theBoardSaysWhatIsAvailable() {
        #expect(
            AvailableMemory.read(reader(["/proc/meminfo": Self.meminfo, "/proc/self/cgroup": "0::/\n"]))
                == AvailableMemory(bytes: 300 << 20, limitedBy: "this board"))
        #expect(AvailableMemory.read(reader([:])) == nil)
        #expect(AvailableMemory.read(reader(["/proc/meminfo": "MemFree: 1 kB\nMemAvailable: lots\n"])) == nil)
    }

    @Test func theTightestControlGroupWins() {
        let files = [
            "/proc/meminfo": Self.meminfo, "/proc/self/cgroup": "1:name=x:/y\n0::/system.slice/mediahost.service\n",
            "/sys/fs/cgroup/system.slice/mediahost.service/memory.max": "max\n",
            "/sys/fs/cgroup/system.slice/mediahost.service/memory.high": "max\n",
            "/sys/fs/cgroup/system.slice/memory.max": "\(400 << 20)\n",
            "/sys/fs/cgroup/system.slice/memory.high": "\(200 << 20)\n",
            "/sys/fs/cgroup/system.slice/memory.current": "\(120 << 20)\n",
            "/sys/fs/cgroup/system.slice/memory.stat": "anon 5\ninactive_file \(20 << 20)\n",
        ]
        #expect(
            AvailableMemory.read(reader(files))
                == AvailableMemory(bytes: 100 << 20, limitedBy: "the control group /system.slice"))
    }

    @Test func reservationsBeyondFourFifthsAreRefusedWithEachOfThem() throws {
        let file = SourceFile(path: "board.yaml", text: "a\nb\nc\n")
        let span = SourceSpan(file: file, range: 2..<3)
        let available = AvailableMemory(bytes: 300 << 20, limitedBy: "this board")
        func reservation(_ owner: String, _ bytes: Int64, isDefault: Bool = false) -> MemoryReservation {
            MemoryReservation(owner: owner, key: "memory", bytes: bytes, span: span, isDefault: isDefault)
        }
        #expect(MemoryAdmission.check([], available: available) == nil)
        #expect(MemoryAdmission.check([reservation("replay", 240 << 20)], available: available) == nil)
        let refusal = MemoryAdmission.check(
            [reservation("cache", 64 << 20), reservation("replay", 256 << 20, isDefault: true)], available: available)
        #expect(
            try #require(refusal).message
                == "plugins reserve 320MiB: replay 256MiB (board.yaml:2, the default of memory), cache 64MiB "
                + "(board.yaml:2); this board has 300MiB available, of which 240MiB may be reserved")
        #expect(refusal?.help?.hasPrefix("give replay a smaller `memory`") == true)
        // Sums beyond what a number holds are refused, not trapped on.
        let huge = [reservation("a", .max), reservation("b", .max)]
        #expect(MemoryAdmission.check(huge, available: available) != nil)
    }

    @Test func aSchemaSaysWhichSizesAreReserved() throws {
        let schema = try ValueSchema(
            json: """
                {"type":"object","properties":{
                  "ring":{"type":"object","properties":{
                    "memory":{"type":"integer","format":"size","x-reserves":true,"default":"2MiB"},
                    "chunk":{"type":"integer","format":"size","default":"1MiB"}}},
                  "cache":{"type":"integer","format":"size","x-reserves":true}}}
                """)
        let value = try schema.resolve(["cache": .string("3MiB")])
        let found = schema.reservations(in: value)
        #expect(found.map { $0.path.joined(separator: ".") } == ["ring.memory", "cache"])
        #expect(found.map(\.bytes) == [2 << 20, 3 << 20])
        for broken in [#"{"type":"integer","x-reserves":true}"#, #"{"type":"integer","format":"size","x-reserves":1}"#]
        {
            #expect(throws: ValueSchema.Broken.self) { try ValueSchema(json: broken) }
        }
    }
}
