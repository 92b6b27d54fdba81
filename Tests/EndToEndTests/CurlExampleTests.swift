import Foundation
import Glibc
import Testing

/// Every shell example of the documentation that calls curl, run as it stands against a real host.
///
/// What an example may take from its reader is in the environment: `XDG_RUNTIME_DIR`, `mediahost` itself, and the variables
/// `socket`, `token` and `host`. An example that cannot be run has `<!-- not run: REASON -->` on the line before it. A request is to be answered with
/// 200, or with one of the numbers of the comment on the line before it: `# 401: ...`.
@Suite(.timeLimit(.minutes(10)))
struct CurlExampleTests {
    /// A block of the page.
    private struct Example {
        var line: Int
        var text: String
        /// Why it is not run.
        var mark: String?

        /// The statuses that are promised, one set for each call of curl.
        var statuses: [Set<String>] {
            var found: [Set<String>] = []
            var promised: Set<String> = []
            for line in text.replacing("\\\n", with: " ").components(separatedBy: "\n") {
                if line.hasPrefix("# ") {
                    let words = line.components(separatedBy: CharacterSet.decimalDigits.inverted)
                    promised = Set(words.filter { $0.count == 3 })
                    continue
                }
                let calls = line.components(separatedBy: "curl ").count - 1
                for _ in 0..<calls { found.append(promised.isEmpty ? ["200"] : promised) }
                if calls > 0 { promised = [] }
            }
            return found
        }
    }

    private static func examples(of page: String) -> [Example] {
        var found: [Example] = []
        var open: Example?
        var mark: String?
        for (index, line) in page.components(separatedBy: "\n").enumerated() {
            if var example = open {
                if line == "```" {
                    if example.text.contains("curl ") { found.append(example) }
                    open = nil
                } else {
                    example.text += line + "\n"
                    open = example
                }
            } else if line == "```sh" {
                open = Example(line: index + 2, text: "", mark: mark)
                mark = nil
            } else {
                let start = "<!-- not run: "
                mark = line.hasPrefix(start) ? String(line.dropFirst(start.count).prefix { $0 != "-" }) : nil
            }
        }
        return found
    }

    private static let token = "0123456789abcdef-example"

    private static func config(_ port: UInt16) -> String {
        """
        mediahost: 1
        control: { tcp: { port: \(port), token-file: token } }
        pipelines:
          camera:
            launch: >
              videotestsrc name=source is-live=true ! video/x-raw,width=64,height=48,framerate=30/1
              ! x264enc tune=zerolatency key-int-max=10 ! h264parse name=encoded ! fakesink
            settable: [source.pattern]
        plugins:
          replay: { module: ReplayBuffer, video: camera/encoded.src, window: 10s }
        """
    }

    /// Says how each request was answered, and lets a stream end after a while.
    private static let curl = """
        #!/bin/sh
        limit=
        for word in "$@"; do [ "$word" != -N ] || limit='--max-time 10'; done
        # shellcheck disable=SC2086
        /usr/bin/curl --silent --show-error $limit --write-out '%{stderr}status %{response_code}\\n' "$@"
        code=$?
        [ "$code" = 28 ] && [ -n "$limit" ] && exit 0
        exit "$code"

        """

    private static let pages = ["api.md", "metrics.md", "web.md"]

    @Test func everyExampleDoesWhatItsPageSays() async throws {
        let place = try Workplace()
        let port = try Workplace.freePort()
        try place.write(Self.token + "\n", to: "token")
        chmod(place.path("token"), 0o600)
        try FileManager.default.createDirectory(atPath: place.path("bin"), withIntermediateDirectories: true)
        try await place.writeExecutable(Self.curl, to: "bin/curl")
        let path = try place.write(Self.config(port), to: "config.yaml")
        let socket = place.path("mediahost/control.sock")
        let variables = Workplace.environment([
            "XDG_RUNTIME_DIR": place.directory, "XDG_STATE_HOME": place.path("state"), "socket": socket,
            "token": place.path("token"), "host": "127.0.0.1:\(port)",
            "PATH": "\(place.path("bin")):\(Workplace.products):/usr/bin:/bin",
            "MEDIAHOST_PLUGIN_PATH": Workplace.products,
        ])
        let host = try ChildProcess(
            Workplace.mediahost, ["run", path], environment: variables, directory: place.directory)
        defer { host.send(SIGKILL) }
        try await host.errors.next(containing: "pipeline camera: playing")
        for name in Self.pages {
            let page = try String(contentsOfFile: "\(Workplace.checkout)/docs/\(name)", encoding: .utf8)
            let examples = Self.examples(of: page)
            let blocks = page.components(separatedBy: "\n```sh\n").dropFirst()
                .filter { $0.components(separatedBy: "\n```").first?.contains("curl ") == true }
            #expect(!examples.isEmpty && examples.count == blocks.count)
            var run: [Int] = []
            var marked: [Int] = []
            for example in examples {
                guard example.mark == nil else {
                    marked.append(example.line)
                    continue
                }
                let result = try await Tool.run(
                    "/bin/sh", ["-eu", "-c", example.text], environment: variables, in: place.directory)
                let statuses = result.errors.split(separator: "\n").filter { $0.hasPrefix("status ") }
                    .map { String($0.dropFirst(7)) }
                #expect(
                    result.ending == .exit(0) && !statuses.isEmpty && statuses.count == example.statuses.count
                        && zip(statuses, example.statuses).allSatisfy { $1.contains($0) },
                    "docs/\(name):\(example.line): \(example.text)\(result)")
                run.append(example.line)
            }
            print("docs/\(name): examples run at lines \(run), marked as not to be run at \(marked)")
            #expect(run.count + marked.count == examples.count)
        }
        for name in ["camera.jpg", "picture.jpg"] {
            let picture = try Data(contentsOf: URL(fileURLWithPath: place.path(name)))
            #expect(picture.starts(with: [0xFF, 0xD8]), "\(name)")
        }
        host.send(SIGTERM)
        #expect(try await host.end() == .exit(0))
    }

    /// A mark is looked for where it is written, and nowhere else.
    @Test func aMarkedBlockIsTold() {
        let page =
            "<!-- not run: it needs a board -->\n```sh\ncurl a\n```\n```sh\n# 404 or 410: gone\ncurl b\ncurl c\n```\n```sh\nls\n```\n"
        let examples = Self.examples(of: page)
        #expect(examples.map(\.line) == [3, 6])
        #expect(examples.map(\.mark) == ["it needs a board ", nil])
        #expect(examples[1].statuses == [["404", "410"], ["200"]])
    }
}
