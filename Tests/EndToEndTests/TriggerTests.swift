import Testing

/// What happens around a host, told by the command line, and what its pipelines make of it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TriggerTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: videotestsrc is-live=true ! fakesink
            background: { paused: stop, interrupted: stop, locked: keep, low-power: pause }
          announcer:
            launch: videotestsrc is-live=true ! fakesink
            background: keep
        """

    private func reaches(_ state: String, _ host: MediahostProcess) async throws {
        try await Deadline.poll("camera \(state)") {
            try await host.answer("status")["pipelines"]["camera"]["state"].string == state ? true : nil
        }
    }

    @Test func interruptionsOverlapAndWaitForTheirUser() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "first buffer")
            try await reaches("playing", host)
            var answer = try await host.answer("interrupt", "begin", "--source", "call")
            #expect(answer["state"].string == "paused")
            #expect(answer["desired"].list.map(\.string) == ["interrupted"])
            var status = try await host.answer("status")
            #expect(status["pipelines"]["camera"]["state"].string == "stopped")
            #expect(status["pipelines"]["announcer"]["state"].string != "stopped")

            _ = try await host.answer("interrupt", "begin", "--source", "bell")
            _ = try await host.answer("interrupt", "end", "--source", "call", "--resume")
            status = try await host.answer("status")["lifecycle"]
            #expect(status["state"].string == "paused")
            #expect(status["reasons"].list.map(\.string) == ["interrupted"])
            #expect(status["interrupters"].list.map(\.string) == ["bell"])

            // Nobody said to go on: the camera stands ready, and the user is waited for.
            answer = try await host.answer("interrupt", "end", "--source", "bell")
            #expect(answer["desired"].list.map(\.string) == ["waiting"])
            try await reaches("paused", host)
            #expect(try await host.ask("resume").output == "state: running\n")
            try await reaches("playing", host)
            let told = try await host.ask(
                "events", "--json", "--filter", "lifecycle.interrupted", "--filter",
                "lifecycle.interruption-ended")
            let events = try told.output.split(separator: "\n").map { try JSON(String($0)) }
            #expect(
                events.map { "\($0["name"].string ?? "?") \($0["payload"]["source"].string ?? "?")" } == [
                    "lifecycle.interrupted call", "lifecycle.interrupted bell", "lifecycle.interruption-ended call",
                    "lifecycle.interruption-ended bell",
                ])
            #expect(events.map { $0["payload"]["should_resume"].bool } == [nil, nil, true, false])
            #expect(events.map { $0["payload"]["over"].bool } == [nil, nil, false, true])
            try await host.terminate()
        }
    }

    @Test func lockAndLowPowerPauseNobodyButThoseThatSaySo() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "first buffer")
            try await reaches("playing", host)
            var answer = try await host.answer("lock")
            #expect(answer["state"].string == "running")
            #expect(answer["desired"].list.map(\.string) == ["locked"])
            #expect(try await host.answer("status")["pipelines"]["camera"]["state"].string == "playing")

            answer = try await host.answer("low-power", "on")
            #expect(answer["state"].string == "running")
            #expect(answer["desired"].list.map(\.string) == ["locked", "low-power"])
            #expect(try await host.answer("status")["pipelines"]["camera"]["state"].string == "paused")
            let refused = try await host.ask("start", "camera")
            #expect(refused.ending == .exit(1))
            #expect(
                refused.errors.contains(
                    "the host is low-power: pipeline camera has `background: pause` for that"),
                "\(refused.errors)")
            #expect(try await host.ask("unlock").ending == .exit(0))
            #expect(try await host.ask("low-power", "off").output == "state: running\n")
            try await reaches("playing", host)

            // A user's stop while the host is quiet is kept over the resume.
            _ = try await host.ask("pause")
            _ = try await host.ask("stop", "camera")
            _ = try await host.ask("resume")
            let status = try await host.answer("status")
            #expect(status["pipelines"]["camera"]["state"].string == "stopped")
            #expect(status["lifecycle"]["clock_epoch"].int == 0)
            try await host.terminate()
        }
    }
}
