import Foundation
import Testing

/// `mediahost top`, once and on a terminal.
@Suite(.timeLimit(.minutes(10)))
struct TopTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera: { launch: "videotestsrc num-buffers=-1 is-live=true ! fakesink name=screen" }
        """

    @Test func oncePrintsOnePictureWithoutEscapes() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let result = try await host.ask("top", "--once", "--interval", "0.2")
            #expect(result.ending == .exit(0) && !result.output.contains("\u{1B}"), "\(result)")
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasPrefix("mediahost  running  up ") == true)
            #expect(lines.contains { $0.hasPrefix("camera") && $0.contains("playing") }, "\(lines)")
            #expect(lines.contains { $0.contains("screen ") })
            let blind = try await host.ask("top")
            #expect(blind.ending == .exit(2) && blind.errors.contains("give --once for one picture"))
            try await host.terminate()
        }
    }

    /// The host goes, the user presses q, or somebody ends it: the terminal is as it was.
    @Test(arguments: ["key", "signal", "host"]) func theTerminalIsGivenBack(_ end: String) async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let ending = ["key": "printf q", "signal": "kill $(cat pid)", "host": "kill \(host.child.pid)"][end] ?? ""
            try place.write(
                """
                stty -a > before
                sh -c 'echo $$ > pid; exec \(Workplace.mediahost) top -i 0.1 --socket \(host.socket)'
                echo code $? > after
                stty -a >> after
                """, to: "inside")
            // `script` makes the terminal and passes on its input, which must not end before. What ends `top` waits for a picture.
            let program = """
                mkfifo keys
                TERM=xterm script -qfec 'sh ./inside' shown < keys > /dev/null &
                exec 3> keys
                until grep -q memory shown 2> /dev/null; do :; done
                \(ending) \(end == "key" ? ">&3" : "")
                wait %1 2> /dev/null || wait
                """
            _ = try await Tool.run("sh", ["-c", program], in: place.directory)
            let shown = try String(contentsOfFile: place.path("shown"), encoding: .utf8)
            let after = try String(contentsOfFile: place.path("after"), encoding: .utf8)
            let before = try String(contentsOfFile: place.path("before"), encoding: .utf8)
            #expect(after == "code \(end == "host" ? 4 : 0)\n" + before, "\(shown)")
            #expect(shown.contains("\u{1B}[?1049h") && shown.contains("\u{1B}[?25h\u{1B}[?1049l"))
            #expect(shown.contains("camera"))
        }
    }

    /// A host that answers once and then hangs: nobody has to wait for it.
    @Test func aHostThatHangsKeepsNobody() async throws {
        let place = try Workplace()
        try place.write(
            """
            import os, socket
            server = socket.socket(socket.AF_UNIX)
            server.bind("sock")
            os.chmod("sock", 0o600)
            server.listen()
            first, _ = server.accept()
            first.recv(65536)
            body = b"mediahost_uptime_seconds 1\\n"
            first.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
            second, _ = server.accept()
            second.recv(65536)
            open("asked", "w").close()
            second.recv(65536)
            """, to: "hangs.py")
        try place.write(
            """
            \(Workplace.mediahost) top -i 0.1 -t 300 --socket "$PWD/sock"
            echo code $? > after
            """, to: "inside")
        let program = """
            python3 hangs.py & host=$!
            mkfifo keys
            until [ -S sock ]; do kill -0 $host || exit 9; done
            TERM=xterm script -qfec 'sh ./inside' shown < keys > /dev/null &
            exec 3> keys
            until [ -e asked ]; do kill -0 $host || exit 8; done
            printf q >&3
            wait $!
            kill $host
            """
        let run = try await Tool.run("sh", ["-c", program], in: place.directory)
        let after = try? String(contentsOfFile: place.path("after"), encoding: .utf8)
        #expect(after == "code 0\n", "\(run)")
    }

    @Test func nobodyThereIsFour() async throws {
        let place = try Workplace()
        let result = try await Tool.run(
            Workplace.mediahost, ["top", "--once", "--socket", place.path("sock")], in: place.directory)
        #expect(result.ending == .exit(4) && result.errors.contains("no mediahost answers at"), "\(result)")
        let wrong = try await Tool.run(Workplace.mediahost, ["top", "--interval", "soon"], in: place.directory)
        #expect(wrong.ending == .exit(2) && wrong.errors.contains("--interval takes seconds"), "\(wrong)")
    }
}
