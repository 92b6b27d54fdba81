import CGLib
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Bytes of a device, and the names of keys.
@Suite struct InputEventTests {
    /// As the kernel writes it on this platform.
    static func bytes(_ type: Int32, _ code: UInt16, _ value: Int32, at time: timeval = timeval()) -> [UInt8] {
        var event = input_event()
        event.time = time
        event.type = UInt16(type)
        event.code = code
        event.value = value
        return withUnsafeBytes(of: &event) { Array($0) }
    }

    static func key(_ code: UInt16, _ value: Int32) -> [UInt8] { bytes(EV_KEY, code, value) + bytes(EV_SYN, 0, 0) }

    @Test func onlyKeysAndMarksAreTaken() {
        var parser = InputEventParser()
        let time = timeval(tv_sec: 3, tv_usec: 250_000)
        let all =
            Self.bytes(EV_KEY, 115, 1, at: time) + Self.bytes(EV_REL, 0, 5) + Self.bytes(EV_MSC, 4, 9)
            + Self.bytes(EV_SYN, 0, 0) + Self.bytes(EV_KEY, 115, 2) + Self.bytes(EV_SYN, 3, 0)
            + Self.bytes(EV_KEY, 115, 0) + Self.bytes(EV_LED, 1, 1)
        let events = parser.take(all)
        #expect(
            events.map(\.kind) == [
                .key(code: 115, isDown: true), .report, .dropped, .key(code: 115, isDown: false),
            ])
        #expect(events.first?.at == .milliseconds(3250))
    }

    @Test func whatIsCutAnywhereIsPutTogether() {
        var campaign = Campaign(rounds: 200)
        let all = (0..<20).flatMap { Self.key(UInt16($0 + 1), $0 % 2) }
        var whole = InputEventParser()
        let expected = whole.take(all)
        for _ in 0..<campaign.rounds {
            var parser = InputEventParser()
            var rest = all[...]
            var events: [InputEvent] = []
            while !rest.isEmpty {
                let count = Int.random(in: 1...40, using: &campaign)
                events += parser.take(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(events == expected, "\(campaign.note)")
        }
    }

    @Test func keysHaveTheNamesOfTheHeader() {
        let known: [(Int32, String)] = [
            (KEY_ESC, "KEY_ESC"), (KEY_1, "KEY_1"), (KEY_MUTE, "KEY_MUTE"), (KEY_VOLUMEUP, "KEY_VOLUMEUP"),
            (KEY_POWER, "KEY_POWER"), (KEY_PLAYPAUSE, "KEY_PLAYPAUSE"), (KEY_COFFEE, "KEY_COFFEE"),
            (BTN_0, "BTN_0"), (BTN_LEFT, "BTN_LEFT"), (BTN_SOUTH, "BTN_SOUTH"), (BTN_TOUCH, "BTN_TOUCH"),
            (KEY_OK, "KEY_OK"), (KEY_MICMUTE, "KEY_MICMUTE"), (KEY_VOICECOMMAND, "KEY_VOICECOMMAND"),
            (BTN_TRIGGER_HAPPY40, "BTN_TRIGGER_HAPPY40"), (KEY_NUMERIC_STAR, "KEY_NUMERIC_STAR"),
        ]
        for (code, name) in known {
            #expect(KeyNames.name(of: UInt16(code)) == name)
            #expect(KeyNames.code(of: name) == UInt16(code), "\(name)")
        }
        #expect(KeyNames.code(of: "BTN_A") == UInt16(BTN_SOUTH))
        #expect(KeyNames.code(of: "KEY_SCREENLOCK") == UInt16(KEY_COFFEE))
    }

    @Test func everyCodeHasOneNameThatLeadsBack() {
        for code in 1...KeyNames.highest { #expect(KeyNames.code(of: KeyNames.name(of: code)) == code) }
        for (alias, name) in KeyNames.aliases {
            #expect(KeyNames.code(of: alias) != nil && KeyNames.code(of: alias) == KeyNames.code(of: name), "\(alias)")
        }
        #expect(KeyNames.name(of: 0x2fe) == "KEY_0x2fe")
        for text in ["", "KEY_", "KEY_0x", "KEY_0x0", "KEY_0x300", "KEY_0xfffff", "KEY_volumeup", "115"] {
            #expect(KeyNames.code(of: text) == nil, "\(text)")
        }
        #expect(KeyNames.nearest(to: "KEY_VOLUMUP") == "KEY_VOLUMEUP")
    }
}
