import HostTestKit

/// One mistake put into a sound configuration: the broken text, where the mistake is, and what should be suggested.
struct ConfigurationMutation {
    var kind: String
    var text: String
    /// Both counted from 1, columns in characters.
    var line: Int
    var column: Int
    /// What was written before a misspelling.
    var suggestion: String?
    var isWarning = false

    /// Marks the place of the mistake while a mutation is made.
    private static let mark: Character = "⟦"

    init?(_ random: inout Campaign) {
        let base = Self.bases[Int.random(in: 0..<Self.bases.count, using: &random)]
        if Bool.random(using: &random) {
            let (kind, words, signs) = Self.misspellings[Int.random(in: 0..<Self.misspellings.count, using: &random)]
            let there = words.filter { !Self.places(of: $0, behind: signs, in: base).isEmpty }
            guard !there.isEmpty else { return nil }
            let word = there[Int.random(in: 0..<there.count, using: &random)]
            let places = Self.places(of: word, behind: signs, in: base)
            let place = places[Int.random(in: 0..<places.count, using: &random)]
            self.init(
                kind: kind,
                marked: base.replacingCharacters(
                    in: place, with: String(Self.mark) + Self.misspelt(word, &random)), suggestion: word)
            return
        }
        let edit = Self.edits[Int.random(in: 0..<Self.edits.count, using: &random)]
        let places = edit.find.flatMap { find in Self.ranges(of: find, in: base).map { ($0, find) } }
        guard !places.isEmpty else { return nil }
        let (place, find) = places[Int.random(in: 0..<places.count, using: &random)]
        let replacement = edit.replace.replacing("§", with: find)
        self.init(kind: edit.kind, marked: base.replacingCharacters(in: place, with: replacement), suggestion: nil)
        isWarning = edit.isWarning
    }

    private init?(kind: String, marked: String, suggestion: String?) {
        guard let place = marked.firstIndex(of: Self.mark) else { return nil }
        let before = marked[..<place]
        self.kind = kind
        text = marked.filter { $0 != Self.mark }
        line = before.count { $0 == "\n" } + 1
        column =
            before.distance(from: before.lastIndex(of: "\n").map(before.index(after:)) ?? before.startIndex, to: place)
            + 1
        self.suggestion = suggestion
    }

    /// Whole words, behind one of `signs`.
    private static func places(of word: String, behind signs: String, in text: String) -> [Range<String.Index>] {
        ranges(of: word, in: text).filter { range in
            guard range.lowerBound > text.startIndex, range.upperBound < text.endIndex else {
                return range.lowerBound == text.startIndex
            }
            let after = text[range.upperBound]
            return signs.contains(text[text.index(before: range.lowerBound)])
                && !after.isLetter && !after.isNumber && !"-_".contains(after)
        }
    }

    private static func ranges(of word: String, in text: String) -> [Range<String.Index>] { text.ranges(of: word) }

    /// One slip of the finger.
    private static func misspelt(_ word: String, _ random: inout Campaign) -> String {
        while true {
            var letters = Array(word)
            let at = Int.random(in: 0..<letters.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where letters.count > 3: letters.remove(at: at)
            case 1: letters.insert(letters[at], at: at)
            case 2 where at + 1 < letters.count: letters.swapAt(at, at + 1)
            default: letters[at] = "qwertzuiopasdfghjklyxcvbnm".randomElement(using: &random) ?? "x"
            }
            let result = String(letters)
            // Another word of the format is no misspelling, and a word must stay one.
            if result != word, !reserved.contains(result), letters[0].isLetter, letters[letters.count - 1] != "-" {
                return result
            }
        }
    }

    private static let reserved = misspellings.flatMap(\.words)

    /// Words, and the characters they stand behind.
    private static let misspellings: [(kind: String, words: [String], signs: String)] = [
        ("element", ["videotestsrc", "fakesink", "queue", "x264enc", "tee", "videoconvert", "identity"], " \"\n"),
        ("property", ["pattern", "num-buffers", "max-size-buffers", "tune", "bitrate", "sync", "key-int-max"], " "),
        ("key", ["launch", "background", "warm-up", "on-eos", "frames", "socket", "module"], " "),
        ("top key", ["mediahost", "pipelines", "plugins", "control"], "\n"),
        ("nick", ["snow", "ball", "zerolatency", "fastdecode"], "=+"),
        ("boolean", ["true", "false"], "="),
        ("reference", ["split"], " "),
        ("choice", ["stop", "keep", "exit"], " "),
        ("pad reference", ["camera"], " "),
    ]

    private struct Edit {
        var kind: String
        var find: [String]
        /// `§` stands for what was found, `⟦` for the place of the mistake.
        var replace: String
        var isWarning = false
    }

    private static let edits: [Edit] = [
        Edit(kind: "dangling link", find: ["sync=true", "sync=false"], replace: "§ ⟦!"),
        Edit(kind: "two links", find: [" ! x264enc"], replace: " ! ⟦! x264enc"),
        Edit(kind: "link first", find: ["videotestsrc"], replace: "⟦! videotestsrc"),
        Edit(kind: "bad link", find: ["! tee name=split"], replace: "⟦! audioconvert ! tee name=split"),
        Edit(kind: "bad filter", find: ["video/x-raw,width=320"], replace: "⟦audio/x-raw"),
        Edit(kind: "bad field of a filter", find: ["width=320"], replace: "⟦width=wide"),
        Edit(kind: "bad type in a filter", find: ["width=320"], replace: "width=(⟦itn)320"),
        Edit(kind: "open bracket", find: ["width=320"], replace: "width=⟦[320"),
        Edit(kind: "out of range", find: ["num-buffers=30"], replace: "num-buffers=⟦-7"),
        Edit(kind: "wrong unit", find: ["frames: 3"], replace: "frames: ⟦3s"),
        Edit(kind: "number for text", find: ["num-buffers=30"], replace: "num-buffers=⟦many"),
        Edit(kind: "list for text", find: ["exit", "stop"], replace: "⟦[§]"),
        Edit(kind: "list for map", find: ["control:\n  socket: /run/mediahost.sock"], replace: "control: ⟦[a]"),
        Edit(kind: "map for text", find: ["/run/mediahost.sock"], replace: "⟦{ a: b }"),
        Edit(kind: "key given twice", find: ["    on-eos: exit\n"], replace: "    on-eos: exit\n    ⟦on-eos: exit\n"),
        Edit(kind: "tab", find: ["    on-eos: exit\n"], replace: "⟦\ton-eos: exit\n"),
        Edit(kind: "undefined variable", find: ["/run/mediahost.sock"], replace: "/run/⟦${NOWHERE}.sock"),
        Edit(kind: "undefined variable in a launch text", find: ["bitrate=2048"], replace: "bitrate=⟦${RATE}"),
        Edit(kind: "open variable", find: ["/run/mediahost.sock"], replace: "/run/⟦${SOCKET"),
        Edit(kind: "open quote", find: ["tune=zerolatency"], replace: "tune=⟦\"zerolatency"),
        Edit(kind: "open YAML quote", find: ["/run/mediahost.sock"], replace: "⟦\"/run/mediahost.sock"),
        Edit(kind: "open bin", find: ["! tee name=split"], replace: "! ⟦( tee name=split"),
        Edit(kind: "closed too often", find: ["sync=true", "sync=false"], replace: "§ ⟦)"),
        Edit(kind: "value missing", find: ["max-size-buffers=5"], replace: "max-size-buffers⟦="),
        Edit(kind: "property alone", find: ["videotestsrc"], replace: "⟦a=1 videotestsrc"),
        Edit(
            kind: "name given twice", find: ["tee name=split"],
            replace: "tee name=split name=split2 ! identity name=⟦camera"),
        Edit(kind: "unknown pad", find: ["tee name=split !"], replace: "tee name=split .⟦source !"),
        Edit(kind: "no such reference", find: ["split. !"], replace: "⟦elsewhere. !"),
        Edit(kind: "stray comma", find: ["x264enc"], replace: "x264enc ⟦,"),
        Edit(kind: "comment", find: ["launch: fakesrc"], replace: "launch: fakesrc ⟦# ! identity", isWarning: true),
        Edit(kind: "newer version", find: ["mediahost: 1"], replace: "mediahost: ⟦2"),
        Edit(kind: "no version", find: ["mediahost: 1"], replace: "mediahost: ⟦one"),
        Edit(kind: "bad name", find: ["  garden:"], replace: "  ⟦gar den:"),
        Edit(kind: "empty module", find: ["module: ReplayBuffer"], replace: "module: ⟦''"),
    ]

    private static let pipelines = [
        """
            launch: >
              videotestsrc name=camera pattern=snow num-buffers=30
              ! video/x-raw,width=320 ! videoconvert
              ! tee name=split ! queue max-size-buffers=5
              ! x264enc tune=zerolatency+fastdecode bitrate=2048 ! fakesink sync=true
              split. ! queue ! identity ! fakesink sync=false
        """,
        """
            launch: "videotestsrc name=camera   pattern=ball num-buffers=30 ! video/x-raw,width=320 ! tee name=split !
              queue max-size-buffers=5 ! x264enc tune=zerolatency bitrate=2048 key-int-max=30 ! fakesink sync=true
              split. ! videoconvert ! fakesink sync=false"
        """,
        """
            launch: |
              videotestsrc name=camera pattern=snow num-buffers=30
                ! video/x-raw,width=320
                ! tee name=split
              split. ! queue max-size-buffers=5 ! x264enc tune=fastdecode bitrate=2048 ! fakesink sync=true
              split. ! identity ! fakesink sync=false
        """,
        """
            launch: videotestsrc name=camera pattern=ball num-buffers=30 ! video/x-raw,width=320 ! tee name=split ! queue
              max-size-buffers=5 ! x264enc tune=zerolatency bitrate=2048 ! fakesink sync=true split. ! fakesink sync=false
        """,
    ]

    static let bases = pipelines.map { launch in
        """
        mediahost: 1
        # Größe, Kamera: 😀
        pipelines:
          porch:
        \(launch)
            background: stop
            warm-up: { frames: 3, at: camera.src }
            on-eos: exit
          garden:
            launch: fakesrc ! fakesink
            background: { paused: keep }
        plugins:
          replay:
            module: ReplayBuffer
        control:
          socket: /run/mediahost.sock

        """
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
