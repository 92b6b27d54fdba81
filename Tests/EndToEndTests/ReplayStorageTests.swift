import Foundation
import Glibc
import Testing

/// A host that is killed while it records: the next one has what was recorded, and goes on behind it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReplayStorageTests {
    private static func config(_ storage: String) -> String {
        """
        mediahost: 1
        pipelines:
          camera:
            launch: \(NumberedCamera.launch)
        plugins:
          replay:
            module: ReplayBuffer
            video: camera/encoded.src
            window: 10min
            memory: 64MiB
            storage: \(storage)
            size: 64MiB

        """
    }

    private typealias Ask = ([String]) async throws -> JSON

    private func record(_ count: Int, _ ask: Ask) async throws -> Int {
        try await Deadline.poll("\(count) frames in the ring", within: .seconds(60)) {
            let frames = try await ask(["call", "replay.status"])["frames"].int ?? 0
            return frames >= count ? frames : nil
        }
    }

    /// At least 30 frames of this process, however many there are of the one before.
    private func recordMore(_ ask: Ask) async throws {
        let now = try await record(1, ask)
        _ = try await record(now + 30, ask)
    }

    /// All of it, before and after the kill: each frame once, and one frame from each to the next.
    private func check(_ place: Workplace, recorded: Int, _ ask: Ask) async throws {
        for file in ["clip.mkv", "clip.mp4"] {
            let saved = try await ask(["call", "replay.save", "to=\(place.path(file))"])
            let clip = try await Clip(decoding: place.path(file))
            #expect(clip.frames.count == saved["frames"].int, "\(file)")
            try #require(clip.epochs.count == 2, "\(file): \(clip.epochs)")
            let (first, second) = (clip.epochs[0], clip.epochs[1])
            // What was said to be there before the kill is there, to the last.
            #expect(first == Array(first[0]..<first[0] + first.count) && first.count >= recorded, "\(file): \(first)")
            #expect(second == Array(second[0]..<second[0] + second.count) && second.count >= 25, "\(file): \(second)")
            #expect(Set(clip.steps) == [NumberedCamera.frame], "\(file)")
        }
        let position = try await ask(["call", "replay.position"])
        #expect(position["epoch"].int == 2)
        #expect(position["gaps"].list.isEmpty)
        let indices = position["segments"].list.map { $0["index"].int ?? -1 }
        #expect(indices == Array(0..<indices.count))
        #expect(Set(position["segments"].list.map { $0["epoch"].int }) == [1, 2])
    }

    @Test func whatIsOnTheDiskSurvivesAKill() async throws {
        let place = try Workplace()
        let path = try place.write(Self.config("disk"), to: "config.yaml")
        let environment = ["XDG_STATE_HOME": place.path("state")]
        let first = try MediahostProcess(path, in: place, environment: environment)
        try await first.log.next(containing: "first buffer")
        let recorded = try await record(60) { try await first.answer($0) }
        first.send(SIGKILL)
        #expect(try await first.child.end() == .signal(SIGKILL))

        let began = ContinuousClock.now
        let second = try MediahostProcess(path, in: place, environment: environment)
        let line = try await second.log.next(containing: "frames of a former run")
        #expect(line.contains("plugin replay: goes on with "), "\(line)")
        try await second.log.next(containing: "control socket")
        let saved = try await second.answer("call", "replay.save", "to=\(place.path("first.mkv"))")
        print("disk: a clip was saved \(ContinuousClock.now - began) after the start of the next process")
        #expect(saved["frames"].int ?? 0 >= recorded)
        try await recordMore { try await second.answer($0) }
        try await check(place, recorded: recorded) { try await second.answer($0) }
        // The file is its own: another host of the same state directory says so and does not start.
        let other = try await Tool.run(
            Workplace.mediahost, ["run", path, "--socket", place.path("other.sock")], environment: environment,
            in: place.directory)
        #expect(other.ending != .exit(0))
        #expect(other.errors.contains("/mediahost/plugins/replay/ring is in use by another process; end it, or give"))
        try await second.terminate()
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: MockService.python),
            "python3 (Debian package) is not installed"))
    func whatTheServiceManagerHoldsSurvivesAKill() async throws {
        let place = try Workplace()
        let path = try place.write(Self.config("memfd"), to: "config.yaml")
        let service = try ServiceManager(path, in: place, environment: ["XDG_STATE_HOME": place.path("state")])
        do {
            let first = try await service.started()
            #expect(first.files == 0)
            try await service.manager.next(containing: "stored mediahost/replay/ring")
            try await service.log.next(containing: "first buffer")
            let recorded = try await record(60) { try await Self.ask(service, $0) }
            kill(first.pid, SIGKILL)
            try await service.manager.next(containing: "killed")
            let second = try await service.started()
            #expect(second.files == 1)
            try await service.log.next(containing: "plugin replay: goes on with ")
            try await recordMore { try await Self.ask(service, $0) }
            try await check(place, recorded: recorded) { try await Self.ask(service, $0) }
            // Who is not in the config any more has nothing kept.
            try place.write(
                "mediahost: 1\npipelines:\n  camera: { launch: videotestsrc is-live=true ! fakesink }\n",
                to: "config.yaml")
            kill(second.pid, SIGHUP)
            try await service.manager.next(containing: "removed mediahost/replay/ring")
            try await service.log.next(
                containing: "let go of what plugins kept that are not there any more: replay/ring")
        } catch {
            throw LineLog.Missing(description: "\(error)\n\(service.manager.text)\(service.log.text)")
        }
    }

    /// No service manager: a process of the host's own holds it.
    @Test func whatAKeeperHoldsSurvivesAKill() async throws {
        let place = try Workplace()
        let path = try place.write(Self.config("memfd"), to: "config.yaml")
        try FileManager.default.createDirectory(atPath: place.path("run"), withIntermediateDirectories: true)
        let environment = ["XDG_STATE_HOME": place.path("state"), "XDG_RUNTIME_DIR": place.path("run")]
        func sockets() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: place.path("run/mediahost")).filter {
                $0.hasPrefix("keeper-")
            }
        }
        let first = try MediahostProcess(path, in: place, environment: environment)
        try await first.log.next(containing: "first buffer")
        let recorded = try await record(60) { try await first.answer($0) }
        #expect(try sockets().count == 1)
        first.send(SIGKILL)
        #expect(try await first.child.end() == .signal(SIGKILL))

        let began = ContinuousClock.now
        let second = try MediahostProcess(path, in: place, environment: environment)
        try await second.log.next(containing: "plugin replay: goes on with ")
        try await second.log.next(containing: "control socket")
        _ = try await second.answer("call", "replay.save", "to=\(place.path("first.mkv"))")
        print("memfd: a clip was saved \(ContinuousClock.now - began) after the start of the next process")
        try await recordMore { try await second.answer($0) }
        try await check(place, recorded: recorded) { try await second.answer($0) }
        // Of the same state directory, while the other one runs.
        let other = try await Tool.run(
            Workplace.mediahost, ["run", path, "--socket", place.path("other.sock")], environment: environment,
            in: place.directory)
        #expect(other.ending != .exit(0))
        #expect(other.errors.contains("what is kept in memory is in use by another process; end it, or give"))
        // With nothing to hold and nobody there it ends.
        try place.write(
            "mediahost: 1\npipelines:\n  camera: { launch: videotestsrc is-live=true ! fakesink }\n", to: "config.yaml")
        second.send(SIGHUP)
        try await second.log.next(containing: "let go of what plugins kept that are not there any more: replay/ring")
        #expect(try sockets().count == 1)
        try await second.terminate()
        try await Deadline.poll("the keeper's end") { try sockets().isEmpty ? true : nil }
    }

    private static func ask(_ service: ServiceManager, _ words: [String]) async throws -> JSON {
        try await service.answer(words)
    }
}
