import Foundation
import Glibc
import Testing

/// Commands of plugins that take long, as a user meets them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct JobTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera: { launch: videotestsrc is-live=true ! fakesink }
        plugins:
          dog: { module: Walker }

        """

    /// By the API, without a process between.
    private static func walk(_ body: String, _ query: String, _ host: MediahostProcess) async throws -> String {
        let head = "POST /v1/plugins/dog/commands/walk?\(query) HTTP/1.1\r\nHost: h\r\n"
        return try await HTTPExchange.send(
            "\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)", to: host.socket)
    }

    @Test func aShortOneIsAnsweredAndALongOneGoesOn() async throws {
        try await withHost(Self.config, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            // What is answered in the time that its client waits is no job.
            for _ in 0..<2 {
                let short = try await Self.walk(#"{"steps":2,"every":"2ms"}"#, "wait=60s", host)
                #expect(short.hasPrefix("HTTP/1.1 200 ") && short.contains(#""steps":2"#), "\(short)")
            }
            // Longer than the command line waits at once: it follows the job.
            #expect(try await host.answer("call", "dog", "walk", "steps=30", "every=20ms")["steps"].int == 30)
            #expect(try await host.answer("jobs").list.map { $0["state"].string } == ["succeeded"])
            let job = try await host.answer("call", "dog.walk", "--no-wait", "steps=1000000")
            let id = try #require(job["id"].string)
            #expect(job["state"].string == "running" && job["command"].string == "walk")
            let moved = try await Deadline.poll("progress") {
                let job = try await host.answer("jobs", "show", id)
                return (job["progress"].double ?? 0) > 0 ? job : nil
            }
            #expect(moved["text"].string?.hasPrefix("step ") == true)
            let table = try await host.ask("jobs")
            #expect(table.output.contains("dog.walk  running") && table.output.hasPrefix("ID"), "\(table.output)")
            let busy = try await host.ask("call", "dog.walk")
            #expect(busy.ending == .exit(1) && busy.errors.contains("one walk at a time"), "\(busy)")
            let asked = try await host.answer("jobs", "cancel", id)["state"].string
            #expect(["running", "cancelling", "cancelled"].contains(asked))
            let ended = try await host.ask("jobs", "wait", id)
            #expect(ended.ending == .exit(1) && ended.errors.contains("stopped after "), "\(ended)")
            let again = try await host.ask("jobs", "cancel", id)
            #expect(again.ending == .exit(1) && again.errors.contains("there is nothing to cancel"), "\(again)")
            #expect(try await host.ask("jobs", "show", "no").errors.contains("is not the id of a job"))
            #expect(try await host.ask("jobs", "stop").ending == .exit(2))
            try await host.terminate()
        }
    }

    @Test func theAPIAnswersWithTheJobAndSaysWhere() async throws {
        try await withHost(Self.config, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let events = try EventClient(host.socket, query: "?filter=job.*")
            let begin = ContinuousClock.now
            let answer = try await Self.walk(#"{"steps":40,"every":"20ms"}"#, "wait=0s", host)
            #expect(answer.hasPrefix("HTTP/1.1 202 ") && answer.contains("Location: /v1/jobs/"), "\(answer)")
            let id = try #require(
                answer.split(separator: "\r\n").first { $0.hasPrefix("Location: ") }?.split(separator: "/").last)
            let done = try await HTTPExchange.send(
                "GET /v1/jobs/\(id)?wait=60s HTTP/1.1\r\nHost: h\r\n\r\n", to: host.socket)
            #expect(done.contains(#""state":"succeeded""#) && done.contains(#""result":{"steps":40}"#), "\(done)")
            _ = try await events.next { $0.name == "job.ended" }
            let took = begin.duration(to: .now)
            let names = events.seen.map(\.name)
            #expect(names.first == "job.started")
            // Of 40 steps, five in a second.
            let most = Int(took / .milliseconds(200)) + 2
            #expect((1...most).contains(names.count { $0 == "job.progress" }), "\(names) in \(took)")
            let wrong = try await HTTPExchange.send(
                "POST /v1/plugins/dog/commands/walk?wait=long HTTP/1.1\r\nHost: h\r\n\r\n", to: host.socket)
            #expect(wrong.hasPrefix("HTTP/1.1 400 ") && wrong.contains(#""field":"wait""#))
            try await host.terminate()
        }
    }

    @Test func aTerminalShowsProgressAndCtrlCStopsTheWork() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let child = try ChildProcess(
                "/usr/bin/script",
                [
                    "-qfec",
                    "sh -c 'echo $$ > pid; exec \(Workplace.mediahost) call dog.walk steps=1000000 every=20ms --socket \(host.socket)'",
                    "shown",
                ], environment: Workplace.environment(["TERM": "xterm"]), directory: place.directory)
            func shown() throws -> String {
                try String(contentsOfFile: place.path("shown"), encoding: .utf8)
            }
            try await Deadline.poll("a bar") {
                try place.exists("shown") && shown().contains("dog.walk [") ? true : nil
            }
            let text = try String(contentsOfFile: place.path("pid"), encoding: .utf8)
            let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            kill(pid, SIGINT)
            #expect(try await child.end() == .exit(130))
            let seen = try shown()
            #expect(seen.contains(" %  step ") && seen.contains("stopped after "), "\(seen)")
            #expect(try await host.answer("jobs").list.map { $0["state"].string } == ["cancelled"])
            try await host.terminate()
        }
    }

    @Test func theTimeTheUserGivesIsTheLimit() async throws {
        try await withHost(Self.config, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let late = try await host.ask("call", "dog.walk", "steps=1000000", "--timeout", "5")
            #expect(
                late.ending == .exit(1) && late.errors.contains("did not end within 5 s, and is cancelled"), "\(late)")
            try await Deadline.poll("its end") {
                try await host.answer("jobs").list.first?["state"].string == "cancelled" ? true : nil
            }
            try await host.terminate()
        }
    }
}
