import GStreamerKit
import Testing

@testable import HostCore

/// The section `inputs` of a file.
@Suite struct InputKeysTests {
    private func load(_ text: String) -> (HostConfiguration?, String) {
        let file = SourceFile(path: "porch.yaml", text: "mediahost: 1\n" + text)
        let (loaded, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
        return (loaded, DiagnosticRenderer().render(found))
    }

    @Test func everyKeyIsReadAndHasItsDefault() throws {
        let (loaded, messages) = load(
            """
            inputs:
              front: { device: /dev/input/event3, keys: [KEY_POWER, KEY_0x2fe], long: 1s, hold: never, grab: true }
              back: { device: /dev/input/event4 }
            """)
        #expect(messages == "")
        var front = InputSettings("front")
        front.device = "/dev/input/event3"
        front.keys = [116, 0x2fe]
        front.long = .seconds(1)
        front.hold = nil
        front.grab = true
        var back = InputSettings("back")
        back.device = "/dev/input/event4"
        #expect(loaded?.inputs == [front, back])
        #expect(back.keys == nil && back.long == .milliseconds(600) && back.hold == .seconds(2) && !back.grab)
    }

    @Test func mistakesAreSaidAtTheirPlaces() {
        let cases: [(String, [String])] = [
            ("inputs: { front: {} }\n", ["input \"front\" has no \"device\""]),
            ("inputs: { front: { device: event3 } }\n", ["\"device\" must be a path that begins with \"/\""]),
            (
                "inputs: { front: { device: /a, keys: [KEY_VOLUMUP] } }\n",
                ["porch.yaml:2:39: error: there is no key \"KEY_VOLUMUP\"", "did you mean \"KEY_VOLUMEUP\"?"]
            ),
            (
                "inputs: { front: { device: /a, keys: KEY_POWER } }\n",
                ["\"keys\" must be a list of names of keys, not \"KEY_POWER\""]
            ),
            (
                "inputs: { front: { device: /a, hold: 500ms } }\n",
                ["porch.yaml:2:38: error: \"hold\" must be longer than \"long\"", "long is 600ms; hold is 500ms"]
            ),
            ("inputs: { front: { device: /a, grab: maybe } }\n", ["\"grab\" must be true or false"]),
            ("inputs: { front: { devise: /a } }\n", ["did you mean \"device\"?"]),
            ("inputs: [ /dev/input/event3 ]\n", ["\"inputs\" must be a map of names"]),
        ]
        for (text, expected) in cases {
            let (_, messages) = load(text)
            for part in expected { #expect(messages.contains(part), "\(text)\(messages)") }
        }
    }
}
