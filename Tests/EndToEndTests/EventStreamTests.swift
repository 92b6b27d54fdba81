import Foundation
import Testing

/// Events and logs of a real host, read from its socket and with the command line.
@Suite(.timeLimit(.minutes(10)))
struct EventStreamTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera: { launch: videotestsrc is-live=true name=v ! fakesink }
          door: { launch: audiotestsrc is-live=true ! fakesink }
        """

    private func playing(_ host: MediahostProcess) async throws {
        try await host.log.next(containing: "first buffer at ")
        try await host.log.next(containing: "first buffer at ")
    }

    @Test func eventsComeInOrderAndFromWhereOneLeftOff() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await playing(host)
            let client = try EventClient(host.socket)
            _ = try await host.answer("stop", "camera")
            let stopped = try await client.next { $0.name == "pipeline.state" && $0.data.contains("\"stopped\"") }
            client.close()
            _ = try await host.answer("start", "camera")
            _ = try await host.answer("stop", "door")

            let again = try EventClient(host.socket, header: "Last-Event-ID: \(stopped.id)\r\n")
            let first = try await again.next { _ in true }
            #expect(first.number == stopped.number + 1)
            _ = try await again.next { $0.data.contains("\"door\"") && $0.data.contains("\"stopped\"") }
            let numbers = again.seen.map(\.number)
            #expect(numbers == Array(numbers[0]..<numbers[0] + numbers.count))
            #expect(!again.seen.contains { $0.name == "gap" })

            let filtered = try EventClient(host.socket, query: "?filter=lifecycle.*&source=host&last=0")
            _ = try await host.answer("start", "door")
            _ = try await host.answer("pause")
            _ = try await filtered.next { $0.name == "lifecycle.did-pause" }
            #expect(filtered.seen.allSatisfy { $0.name.hasPrefix("lifecycle.") })
            try await host.terminate()
            // The last of it, then the end.
            try await again.end()
        }
    }

    @Test func whoDoesNotReadLosesAndOthersDoNot() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await playing(host)
            let slow = try EventClient(host.socket, isSlow: true)
            let fast = try EventClient(host.socket)
            // 1024 events are remembered, and some hundred are in the sockets.
            // Quick even under a sanitizer: who takes nothing for a minute is let go.
            let rounds = 700
            let requests = ["lock", "unlock"].map { "POST /v1/\($0) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n" }
            let answers = try await HTTPExchange.send(
                inTurn: (0..<rounds).flatMap { _ in requests }, to: host.socket)
            #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 OK\r\n") })
            let count = { (client: EventClient) in
                client.seen.filter { $0.name == "lifecycle.locked" || $0.name == "lifecycle.unlocked" }.count
            }
            try await host.post("/v1/low-power", #"{"on":true}"#)
            _ = try await fast.next { $0.name.hasPrefix("lifecycle.low-power") }
            #expect(count(fast) == 2 * rounds)
            #expect(!fast.seen.contains { $0.name == "gap" })
            slow.read()
            _ = try await slow.next { $0.name.hasPrefix("lifecycle.low-power") }
            let gaps = slow.seen.filter { $0.name == "gap" }
            let lost = try gaps.reduce(0) { try $0 + (JSON($1.data)["lost"].int ?? 0) }
            #expect(lost > 0)
            // Events are numbered without gaps: what it has seen and what it was told of as lost is all there was.
            let numbers = slow.seen.filter { $0.name != "gap" }.map(\.number)
            let all = (numbers.last ?? 0) - (numbers.first ?? 0) + 1
            #expect(numbers.count + lost == all)
        }
    }

    @Test func clientsCostNoThreadAndNothingAfterTheyHaveGone() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await playing(host)
            _ = try await host.answer("status")
            let files = { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.child.pid)/fd").count }
            let threads = { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.child.pid)/task").count }
            let (filesBefore, threadsBefore) = (try files(), try threads())
            var clients: [EventClient] = []
            for _ in 0..<200 { clients.append(try EventClient(host.socket)) }
            #expect(try files() >= filesBefore + 200)
            #expect(try threads() <= threadsBefore + 2)
            let one = clients[137]
            try await host.post("/v1/lock")
            _ = try await one.next { $0.name == "lifecycle.locked" }
            for client in clients { client.close() }
            // One file waits for all of them, and stays.
            try await Deadline.poll("the end of 200 descriptors") { try files() <= filesBefore + 1 ? true : nil }
        }
    }

    // MARK: The command line

    @Test func theCommandShowsWhatTheHostRemembers() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await playing(host)
            let all = try await host.ask("events")
            #expect(all.ending == .exit(0) && all.errors.isEmpty)
            #expect(
                all.output.contains(" camera: pipeline.state {")
                    && all.output.contains(" door: pipeline.first-buffer {"))
            let some = try await host.ask(
                "events", "--json", "--filter", "pipeline.first-buffer", "--filter", "x.*", "--source", "camera")
            let lines = some.output.split(separator: "\n")
            #expect(lines.count == 1)
            #expect(try JSON(String(lines.first ?? ""))["payload"]["element"].string != nil)
            #expect(try await host.ask("events", "--last", "2").output.split(separator: "\n").count == 2)
            let wrong = try await host.ask("events", "--filter", "a*")
            #expect(wrong.ending == .exit(2) && wrong.errors.contains("is no pattern"))
            let negative = try await host.ask("events", "-n", "-1")
            #expect(negative.ending == .exit(2) && negative.errors.contains("--last"))
            let logs = try await host.ask("logs", "--component", "door")
            #expect(logs.output.contains(" pipeline door: first buffer at "))
            #expect(!logs.output.contains("camera"))
            #expect(try await host.ask("logs", "-n", "1").output.split(separator: "\n").count == 1)
        }
    }

    @Test func theCommandFollowsOverAnotherStartOfTheHost() async throws {
        let place = try Workplace()
        let socket = place.path("control.sock")
        let config = try place.write(Self.config, to: "config.yaml")
        let first = try MediahostProcess(config, in: place)
        try await playing(first)
        let follower = try ChildProcess(
            Workplace.mediahost, ["events", "--follow", "--socket", socket], environment: Workplace.environment(),
            directory: place.directory)
        let log = try ChildProcess(
            Workplace.mediahost, ["logs", "-f", "-n", "0", "--socket", socket], environment: Workplace.environment(),
            directory: place.directory)
        try await Deadline.poll("that both listen") {
            for words in [["lock"], ["unlock"], ["stop", "door"], ["start", "door"]] { _ = try await first.ask(words) }
            return follower.output.text.contains("lifecycle.locked")
                && log.output.text.contains("pipeline door: stopped") ? true : nil
        }
        try await first.terminate()
        let second = try MediahostProcess(config, in: place)
        defer { second.send(SIGKILL) }
        try await follower.output.next(containing: "--- lost: an unknown number (the host was started anew)")
        try await follower.output.next(containing: "camera: pipeline.first-buffer")
        try await log.output.next(containing: "first buffer at ")
        for (child, signal) in [(follower, SIGINT), (log, SIGTERM)] {
            child.send(signal)
            let ending = try await child.end()
            #expect(ending == .exit(0))
            #expect(child.errors.text.isEmpty)
        }
        try await second.terminate()
    }
}

extension MediahostProcess {
    /// One request, without a process of its own.
    fileprivate func post(_ path: String, _ body: String = "") async throws {
        let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
        let answer = try await HTTPExchange.send(
            "POST \(path) HTTP/1.1\r\nHost: h\r\n\(type)Content-Length: \(body.utf8.count)\r\n\r\n\(body)", to: socket)
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }
}
