import Foundation
import Glibc
import Testing

/// A running host whose file is written anew: SIGHUP, and what the C plugin has counted meanwhile.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReloadTests {
    private static let isLong = ProcessInfo.processInfo.environment["MEDIAHOST_LONG"] == "1"
    private static let reloads = isLong ? 1000 : 10
    /// Buffers of each pipeline that no reload touches, a hundred in a second.
    private static let buffers = isLong ? 3000 : 250

    /// - Parameter changing: the launch text of the pipeline that is reloaded.
    private static func config(_ changing: String, buffers: Int = ReloadTests.buffers) -> String {
        """
        mediahost: 1
        pipelines:
          video:
            launch: >
              videotestsrc is-live=true num-buffers=\(buffers)
              ! video/x-raw,width=16,height=16,framerate=100/1 ! identity name=out ! fakesink
          audio:
            launch: >
              audiotestsrc is-live=true num-buffers=\(buffers) samplesperbuffer=441
              ! audio/x-raw,rate=44100 ! identity name=out ! fakesink
          changing:
            launch: \(changing)
        plugins:
          frames: { module: Minimal, pad: video/out.src }
          sounds: { module: Minimal, pad: audio/out.src }

        """
    }

    private static func live(_ number: Int) -> String {
        "videotestsrc is-live=true ! identity name=version\(number) ! fakesink"
    }

    /// Writes the file as an editor does: the host sees all of it or nothing.
    private func write(_ config: String, in place: Workplace) throws { try place.write(config, to: "config.yaml") }

    private func allPlay(_ host: MediahostProcess) async throws {
        try await Deadline.poll("all to play") {
            let states = try await host.answer("status")["pipelines"]
            return ["video", "audio", "changing"].allSatisfy { states[$0]["state"].string == "playing" } ? true : nil
        }
    }

    /// Waits for the ends of the pipelines that no reload touches: not a buffer of theirs is missing.
    private func expectAllPlayed(_ host: MediahostProcess) async throws {
        for name in ["video", "audio"] {
            try await Deadline.poll("\(name) to finish", within: .seconds(60)) {
                try await host.answer("status")["pipelines"][name]["state"].string == "finished" ? true : nil
            }
        }
        for counter in ["frames", "sounds"] {
            let counts = try await host.answer("call", "\(counter).count")
            #expect(counts["buffers"].int == Self.buffers)
            #expect(counts["epochs"].list.count == 1)
        }
    }

    /// File descriptors and threads of the host.
    private static func held(by host: MediahostProcess) throws -> (files: Int, threads: Int) {
        let process = "/proc/\(host.child.pid)"
        return (
            try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").count,
            try FileManager.default.contentsOfDirectory(atPath: "\(process)/task").count
        )
    }

    @Test func untouchedPipelinesLoseNoBuffer() async throws {
        let place = try Workplace()
        try await withHost(Self.config(Self.live(0)), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            var before: (files: Int, threads: Int)?
            for number in 1...Self.reloads {
                try write(Self.config(Self.live(number)), in: place)
                host.send(SIGHUP)
                try await host.log.next(
                    containing: "pipelines: rebuilt changing, 2 unchanged; plugins: 2 unchanged")
                if number == 2 { before = try Self.held(by: host) }
            }
            // Threads that wait for work and a file that is just being closed come and go.
            let (first, last) = (try #require(before), try Self.held(by: host))
            #expect(last.files <= first.files + 3)
            #expect(last.threads <= first.threads + 6)
            try await expectAllPlayed(host)
            try await host.terminate()
        }
    }

    @Test func aPluginIsReplacedWhileItsPipelineRunsOn() async throws {
        let place = try Workplace()
        let config = Self.config(Self.live(0), buffers: -1)
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try write(
                config.replacing("pad: audio/out.src", with: "pad: video/out.sink")
                    + "  more: { module: Minimal, pad: changing/version0.src }\n", in: place)
            host.send(SIGHUP)
            try await host.log.next(containing: "plugins: added more, replaced sounds, 1 unchanged")
            for name in ["frames", "sounds", "more"] {
                try await Deadline.poll("\(name) to count") {
                    try await host.answer("call", "\(name).count")["buffers"].int ?? 0 > 3 ? true : nil
                }
            }
            #expect(!host.log.text.contains("recover"))
            try await allPlay(host)
            try await host.terminate()
        }
    }

    @Test func aBadFileChangesNothingAndIsExplained() async throws {
        let place = try Workplace()
        let config = Self.config(Self.live(0), buffers: -1)
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            let path = place.path("config.yaml")
            try write(
                config.replacing("! fakesink\nplugins", with: "! fakesnk\nplugins")
                    .replacing("pad: audio/out.src", with: "pad: audio/out.source"), in: place)
            host.send(SIGHUP)
            try await host.log.next(containing: "error: \(path):12:66: error: no element \"fakesnk\"")
            try await host.log.next(containing: "help: did you mean \"fakesink\"?")
            try await host.log.next(containing: "error: nothing was reloaded: 1 error")
            // What only GStreamer and the plugins know is checked when the file itself is good.
            try write(config.replacing("pad: audio/out.src", with: "pad: audio/out.source"), in: place)
            host.send(SIGHUP)
            try await host.log.next(containing: "error: nothing was reloaded")
            try write(config + "  nobody: { module: Nobody }\n", in: place)
            host.send(SIGHUP)
            try await host.log.next(containing: "\(path):16:21: error: no plugin \"Nobody\"")
            try await host.log.next(containing: "error: nothing was reloaded: 1 error")
            try write(
                config.replacing(
                    "videotestsrc is-live=true ! identity", with: "videotestsrc ! audioconvert name=x ! identity"),
                in: place)
            host.send(SIGHUP)
            try await host.log.next(containing: "error: nothing was reloaded: 1 error")
            try await allPlay(host)
            for name in ["frames", "sounds"] {
                #expect(try await host.answer("call", "\(name).count")["epochs"].list.count == 1)
            }
            try await host.terminate()
        }
    }

    @Test func aVersionThatDoesNotStartBringsTheOldOneBack() async throws {
        let place = try Workplace()
        let config = Self.config(Self.live(0))
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            let path = place.path("config.yaml")
            for _ in 0..<3 {
                try write(Self.config("filesrc location=/nowhere ! fakesink"), in: place)
                host.send(SIGHUP)
                try await host.log.next(
                    containing: "error: \(path):12:13: error: pipeline \"changing\" does not start: ")
                try await host.log.next(containing: "and all is as before: 1 error")
                #expect(try await host.answer("status")["pipelines"]["changing"]["first_buffer"].bool == true)
            }
            try await expectAllPlayed(host)
            try await host.terminate()
        }
    }

    @Test func theCommandSaysWhatWasDoneOrWhyNot() async throws {
        let place = try Workplace()
        let config = Self.config(Self.live(0), buffers: -1)
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try write(Self.config(Self.live(1), buffers: -1), in: place)
            let done = try await host.answer("reload")
            #expect(done["applied"].bool == true)
            #expect(done["pipelines"]["rebuilt"].list.map(\.string) == ["changing"])
            #expect(done["pipelines"]["unchanged"].int == 2)

            let path = place.path("config.yaml")
            for (launch, says) in [
                ("videotestsrc ! fakesnk", "\(path):12:28: error: no element \"fakesnk\""),
                (
                    "filesrc location=/nowhere ! fakesink",
                    "\(path):12:13: error: pipeline \"changing\" does not start: "
                ),
            ] {
                try write(Self.config(launch, buffers: -1), in: place)
                let refused = try await host.ask("reload")
                #expect(refused.ending == .exit(3))
                #expect(refused.errors.contains(says), "\(refused.errors)")
            }
            #expect(try await host.answer("status")["configuration"]["last_reload"].string == "rolled-back")
            try await host.terminate()
        }
    }

    @Test func aSecretThatAReloadBringsIsInNoLineOfTheLog() async throws {
        let place = try Workplace()
        try place.write("hunter-two-and-three\n", to: "porch")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path("porch"))
        let config = Self.config(Self.live(0), buffers: -1)
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            let changed = Self.config("\"filesrc location=/nowhere/${secret:porch} ! fakesink\"", buffers: -1)
            try write(changed + "secrets: \(place.directory)\n", in: place)
            host.send(SIGHUP)
            try await host.log.next(containing: "error: pipeline \"changing\" does not start: ")
            try await host.log.next(containing: "and all is as before: 1 error")
            #expect(host.log.text.contains("/nowhere/***"), "\(host.log.text)")
            #expect(!host.log.text.contains("hunter"), "\(host.log.text)")
            let events = try await host.ask("events").output
            #expect(events.contains("/nowhere/***") && !events.contains("hunter"), "\(events)")
            try await host.terminate()
        }
    }

    @Test func aStormOfSignalsIsHarmless() async throws {
        let place = try Workplace()
        try await withHost(Self.config(Self.live(0)), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            for number in 1...20 {
                try write(Self.config(Self.live(number)), in: place)
                for _ in 0..<50 { host.send(SIGHUP) }
            }
            try write(Self.config(Self.live(99)), in: place)
            host.send(SIGHUP)
            // A plugin that taps what only the last file has tells that it is the one that runs.
            try write(
                Self.config(Self.live(99)) + "  last: { module: Minimal, pad: changing/version99.src }\n", in: place)
            host.send(SIGHUP)
            try await host.log.next(containing: "added last")
            try await expectAllPlayed(host)
            try await host.terminate()
        }
    }
}
