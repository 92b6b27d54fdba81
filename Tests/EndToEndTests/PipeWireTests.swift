import Testing

/// Outputs of a real sound server, with sinks that play to nobody.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: PipeWire.isThere && SystemBus.program != nil,
        "pipewire, wireplumber, pipewire-pulse, pulseaudio-utils or dbus-daemon (Debian packages) are not installed"))
struct PipeWireTests {
    @Test func aSinkThatGoesIsMissedAndItsReturnIsFollowed() async throws {
        let place = try Workplace()
        let server = try await PipeWire(in: place)
        let other = try await server.addSink("other", description: "Other")
        var porch = try await server.addSink("porch", description: "Porch")
        let config = """
            mediahost: 1
            pipelines:
              tone:
                launch: audiotestsrc is-live=true ! pulsesink device=porch
                background: { output-lost: stop }
            plugins: { ears: { module: KeyListener } }
            outputs: { device: porch }
            """
        try await withHost(
            config, in: place, plugins: ThirdParty.plugins(), environment: server.environment
        ) { host in
            try await host.log.next(containing: "first buffer")
            try await Deadline.poll("the outputs") {
                let outputs = try await host.answer("status")["outputs"]
                return Set(outputs["devices"].list.compactMap { $0["name"].string }) == ["Porch", "Other"] ? true : nil
            }
            for _ in 1...2 {
                // The server would play on to the other one, without a word.
                try await server.remove(porch)
                try await host.log.next(containing: #"the audio output "porch" is not there"#)
                try await host.log.next(containing: "pipeline tone: stopped")
                porch = try await server.addSink("porch", description: "Porch")
                try await host.log.next(containing: #"the audio output "Porch" is there"#)
                try await host.log.next(containing: "first buffer")
            }
            try await server.remove(other)
            try await host.log.next(containing: "heard output.removed Other")
            #expect(try await host.answer("status")["outputs"]["lost"].bool == false)
            try await host.terminate()
        }
    }

    /// An interruption takes the output away; its end without the word to go on opens it again, but plays nothing.
    @Test func anOutputIsOpenAgainWhileItsUserIsWaitedFor() async throws {
        let place = try Workplace()
        let server = try await PipeWire(in: place)
        _ = try await server.addSink("porch", description: "Porch")
        let config = """
            mediahost: 1
            pipelines:
              tone:
                launch: audiotestsrc is-live=true ! pulsesink device=porch
                background: { interrupted: stop }
            """
        func reaches(_ streams: [String]) async throws {
            try await Deadline.poll("streams \(streams)") { try await server.streams() == streams ? true : nil }
        }
        try await withHost(config, in: place, environment: server.environment) { host in
            try await reaches(["Corked: no"])
            _ = try await host.answer("interrupt", "begin")
            try await reaches([])
            let answer = try await host.answer("interrupt", "end")
            #expect(answer["desired"].list.map(\.string) == ["waiting"])
            try await reaches(["Corked: yes"])
            #expect(try await host.answer("status")["pipelines"]["tone"]["state"].string == "paused")
            _ = try await host.answer("resume")
            try await reaches(["Corked: no"])
            try await host.terminate()
        }
    }
}
