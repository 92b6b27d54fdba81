import Foundation
import Glibc
import Testing

/// The command line as a client over TCP: `--host`, `--token-file`.
@Suite(.timeLimit(.minutes(10)))
struct NetworkClientTests {
    private static let token = "0123456789abcdef-everything"
    private static let looking = "0123456789abcdef-look"

    /// A host on a free port, and a client that knows its token.
    private struct Bench {
        let place: Workplace
        let host: MediahostProcess
        let address: String

        func ask(
            _ arguments: String..., token: String? = "token", environment: [String: String] = [:]
        ) async throws -> Tool.Result {
            let file = token.map { ["--token-file", place.path($0)] } ?? []
            return try await Tool.run(
                Workplace.mediahost, arguments + ["--host", address] + file, environment: environment,
                in: place.directory)
        }
    }

    private func withBench(plugins: Bool = false, _ body: (Bench) async throws -> Void) async throws {
        let place = try Workplace()
        for (name, text) in [("token", Self.token), ("look", Self.looking), ("wrong", "0123456789abcdef-wrong")] {
            try place.write(text + "\n", to: name)
            chmod(place.path(name), 0o600)
        }
        let port = try Workplace.freePort()
        let config = """
            mediahost: 1
            control: { tcp: { port: \(port), token-file: token, read-only-token-file: look } }
            pipelines:
              camera:
                launch: videotestsrc name=source is-live=true ! video/x-raw,width=64,height=48 ! fakesink name=end
                settable: [source.pattern]
            \(plugins ? "plugins: { works: { module: Clockwork } }" : "")
            """
        try await withHost(config, in: place, plugins: plugins ? try await ThirdParty.plugins() : nil) { host in
            try await host.log.next(containing: "the control API listens on 127.0.0.1 port \(port)")
            try await body(Bench(place: place, host: host, address: "127.0.0.1:\(port)"))
            try await host.terminate()
        }
    }

    @Test func everyCommandWorksOverTCP() async throws {
        try await withBench(plugins: true) { bench in
            try await Deadline.poll("pictures") {
                let list = try await bench.ask("pipeline", "list")
                return list.output.contains("playing") ? true : nil
            }
            #expect(try await bench.ask("status", "--json").output.contains("\"camera\""))
            let set = try await bench.ask("set", "camera", "source.pattern=ball")
            #expect(set.ending == .exit(0) && set.output.contains("ball"), "\(set)")
            #expect(try await bench.ask("call", "works.state").output.contains("ticks"))
            #expect(try await bench.ask("metrics").output.contains("mediahost_pipeline_state"))
            #expect(try await bench.ask("top", "--once", "--interval", "0.1").output.contains("camera"))
            #expect(try await bench.ask("logs").output.contains("camera"))
            #expect(try await bench.ask("graph", "camera").output.hasPrefix("digraph"))
            let picture = try await bench.ask("pipeline", "snapshot", "camera", "--output", "picture.png")
            #expect(picture.ending == .exit(0), "\(picture)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.place.path("picture.png")))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test func eventsAreFollowedOverTCP() async throws {
        try await withBench { bench in
            let client = try ChildProcess(
                Workplace.mediahost,
                ["events", "--follow", "--filter", "lifecycle.*", "--host", bench.address],
                environment: Workplace.environment(["MEDIAHOST_TOKEN_FILE": bench.place.path("look")]),
                directory: bench.place.directory)
            // Until it listens nobody knows when it will: the host is told to lock and unlock until it has heard of it.
            try await Deadline.poll("an event") {
                _ = try await bench.host.ask("lock")
                _ = try await bench.host.ask("unlock")
                return client.output.text.contains("lifecycle.locked") ? true : nil
            }
            client.send(SIGINT)
            #expect(try await client.end() == .exit(0))
        }
    }

    @Test func aNewTokenEndsTheStreamsOfTheOldOne() async throws {
        try await withBench { bench in
            try bench.place.write(Self.looking + "\n", to: "leaked")
            chmod(bench.place.path("leaked"), 0o600)
            let client = try ChildProcess(
                Workplace.mediahost, ["events", "--follow", "--host", bench.address],
                environment: Workplace.environment(["MEDIAHOST_TOKEN_FILE": bench.place.path("leaked")]),
                directory: bench.place.directory)
            try await Deadline.poll("an event") {
                _ = try await bench.host.ask("lock")
                _ = try await bench.host.ask("unlock")
                return client.output.text.contains("lifecycle.locked") ? true : nil
            }
            // A reload that brings no other ends nothing.
            #expect(try await bench.host.ask("reload").ending == .exit(0))
            try await client.output.next(containing: "config.reloaded")
            try bench.place.write("0123456789abcdef-another\n", to: "look")
            chmod(bench.place.path("look"), 0o600)
            #expect(try await bench.host.ask("reload").ending == .exit(0))
            // It comes back, as ever, and is told.
            #expect(try await client.end() == .exit(4))
            #expect(client.errors.text.contains("the token is wrong"), "\(client.errors.text)")
        }
    }

    @Test func theEnvironmentNamesAHostToo() async throws {
        try await withBench { bench in
            let variables = ["MEDIAHOST_HOST": bench.address, "MEDIAHOST_TOKEN_FILE": bench.place.path("token")]
            let status = try await Tool.run(
                Workplace.mediahost, ["status"], environment: variables, in: bench.place.directory)
            #expect(status.ending == .exit(0) && status.output.contains("camera"), "\(status)")
            // What the command line says wins.
            let local = try await Tool.run(
                Workplace.mediahost, ["status", "--socket", "/nowhere.sock"], environment: variables,
                in: bench.place.directory)
            #expect(local.ending == .exit(4) && local.errors.contains("/nowhere.sock"), "\(local)")
        }
    }

    @Test func refusalsSayWhatToDo() async throws {
        try await withBench { bench in
            let none = try await bench.ask("status", token: nil)
            #expect(none.ending == .exit(4) && none.errors.contains("name the file of the token with --token-file"))
            let wrong = try await bench.ask("status", token: "wrong")
            #expect(wrong.ending == .exit(4) && wrong.errors.contains("the token is wrong"), "\(wrong)")
            #expect(wrong.errors.contains("wrong` does not hold the host's token") && !wrong.errors.contains("abcdef"))
            let looking = try await bench.ask("set", "camera", "source.pattern=ball", token: "look")
            #expect(
                looking.ending == .exit(4) && looking.errors.contains("this token is for looking only"), "\(looking)")
            let missing = try await bench.ask("status", token: "nowhere")
            #expect(missing.ending == .exit(4) && missing.errors.contains("cannot read the token file"))
            chmod(bench.place.path("wrong"), 0o644)
            let open = try await bench.ask("status", token: "wrong")
            #expect(open.errors.contains("everybody may read the token file"))
            try bench.place.write("short\n", to: "wrong")
            chmod(bench.place.path("wrong"), 0o600)
            #expect(try await bench.ask("status", token: "wrong").errors.contains("could be guessed"))
        }
    }

    @Test func whoAsksTooOftenIsToldHowLongToWait() async throws {
        try await withBench { bench in
            // By hand: so many clients one after the other can take longer than it takes to be forgiven.
            let port = try #require(bench.address.split(separator: ":").last.flatMap { UInt16($0) })
            let request = "GET /v1/status HTTP/1.1\r\nHost: \(bench.address)\r\nAuthorization: Bearer wrong\r\n\r\n"
            // Ten wrong ones, and nobody from here who guesses is listened to; who has the token is none of them.
            try await Deadline.poll("that it is told to wait") {
                for _ in 0..<11 { _ = try await HTTPExchange.send(request, port: port) }
                let wrong = try await bench.ask("status", token: "wrong")
                #expect(wrong.ending == .exit(1), "\(wrong)")
                return wrong.errors.contains("wait ") ? true : nil
            }
            #expect(try await bench.ask("status").ending == .exit(0))
        }
    }

    @Test func placesThatAreNoneAreNamed() async throws {
        let place = try Workplace()
        func ask(_ arguments: String...) async throws -> Tool.Result {
            try await Tool.run(Workplace.mediahost, ["status"] + arguments, in: place.directory)
        }
        let closed = try await ask("--host", "127.0.0.1:1")
        #expect(
            closed.ending == .exit(4) && closed.errors.contains("no mediahost answers at 127.0.0.1:1: "), "\(closed)")
        let unknown = try await ask("--host", "nowhere.invalid:8080")
        #expect(unknown.ending == .exit(4) && unknown.errors.contains("nowhere.invalid:8080"), "\(unknown)")
        for text in ["127.0.0.1", "::1", "http://127.0.0.1:80", "127.0.0.1:nothing", ":8080", "127.0.0.1:99999"] {
            let wrong = try await ask("--host", text)
            #expect(wrong.ending != .exit(0) && wrong.errors.contains("is not ADDRESS:PORT"), "\(text): \(wrong)")
        }
        let both = try await ask("--host", "127.0.0.1:80", "--socket", "x.sock")
        #expect(both.ending == .exit(2) && both.errors.contains("contradict each other"))
        let lone = try await ask("--token-file", "x", "--socket", "x.sock")
        #expect(lone.ending == .exit(2) && lone.errors.contains("--token-file goes with --host"))
    }

    /// A reload tells whoever asked for it, not the log alone.
    @Test func aReloadNamesATokenFileThatIsNotGoodAnyMore() async throws {
        try await withBench { bench in
            chmod(bench.place.path("token"), 0o644)
            let reload = try await bench.ask("reload", "--json", token: "token")
            #expect(reload.ending == .exit(4))
            let answer = try await bench.host.answer("reload")
            #expect(answer["applied"].bool == true)
            let problem = try #require(answer["problems"].list.first)
            #expect(problem["severity"].string == "warning")
            #expect(problem["message"].string?.hasPrefix("the tokens stay as they were: everybody may read") == true)
            chmod(bench.place.path("token"), 0o600)
            #expect(try await bench.ask("status").ending == .exit(0))
            #expect(try await bench.host.answer("reload")["problems"].list.isEmpty)
        }
    }
}
