import Foundation
import Testing

/// systemd-logind as the host meets it: a bus, a logind made with python-dbusmock, and a running host.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: MockLogind.isThere, "dbus-daemon and python3-dbusmock (Debian packages) are not installed"))
struct LoginTests {
    private let place: Workplace
    private let bus: SystemBus

    init() async throws {
        place = try Workplace()
        bus = try await SystemBus(in: place)
    }

    /// A recording that is finished only with its last part, and a plugin that never acknowledges (200 ms).
    private func config(_ login: String = "", plugin: Bool = false) -> String {
        """
        mediahost: 1
        pipelines:
          recording:
            launch: >
              videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=25/1 ! debugqroverlay ! videoconvert
              ! x264enc tune=zerolatency ! h264parse ! matroskamux ! filesink location=\(place.path("clip.mkv"))

        """ + (plugin ? "plugins: { mute: { module: Silent } }\n" : "") + login
    }

    private var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bus.address] }

    private func desired(_ host: MediahostProcess) async throws -> [String] {
        try await host.answer("status")["lifecycle"]["desired"].list.compactMap(\.string)
    }

    /// The first buffer is the file's head; a clip has frames, too.
    private func awaitFrames() async throws {
        try await Deadline.poll("frames in the recording") {
            let attributes = try? FileManager.default.attributesOfItem(atPath: place.path("clip.mkv"))
            return (attributes?[.size] as? Int ?? 0) > 4096 ? true : nil
        }
    }

    @Test func aSleepWaitsForTheHostAndAWakeBringsItBack() async throws {
        let logind = try await MockLogind(on: bus, in: place)
        let plugins = try await ThirdParty.plugins()
        try await withHost(config(plugin: true), in: place, plugins: plugins, environment: environment) { host in
            try await logind.log.next(containing: "taken sleep delay")
            try await host.log.next(containing: "first buffer")
            for round in 1...2 {
                try await awaitFrames()
                try await logind.tell("sleep true")
                try await logind.log.next(containing: "dropped sleep delay")
                try await host.log.next(containing: "the machine is about to sleep")
                // In this order: who was late, the file, the sleep.
                try await host.log.next(containing: "plugin mute did not acknowledge within 200 ms")
                try await host.log.next(containing: "pipeline recording: stopped")
                try await host.log.next(containing: "the machine may sleep")
                let clip = try await Clip(decoding: place.path("clip.mkv"))
                #expect(!clip.frames.isEmpty)
                let asleep = try await host.answer("status")
                #expect(asleep["login"]["inhibitors"].list.compactMap(\.string) == ["shutdown"])
                let held = try await host.ask("metrics").output
                #expect(held.contains("\nmediahost_inhibitor_held{what=\"shutdown\"} 1\n"))
                #expect(held.contains("\nmediahost_inhibitor_held{what=\"sleep\"} 0\n"))
                #expect(held.contains("\nmediahost_desired{reason=\"suspended\"} 1\n"))
                #expect(asleep["login"]["sleep"]["count"].int == round && asleep["login"]["sleep"]["given_up"].int == 0)
                #expect((200_000_000..<4_000_000_000).contains(asleep["login"]["sleep"]["last_ns"].int ?? 0))
                #expect(asleep["lifecycle"]["desired"].list.compactMap(\.string) == ["suspended"])

                try await logind.tell("sleep false")
                try await logind.log.next(containing: "taken sleep delay")
                try await host.log.next(containing: "the machine is awake")
                try await host.log.next(containing: "first buffer")
                #expect(try await desired(host) == [])
            }
            let awake = try await host.answer("status")["login"]
            #expect(awake["inhibitors"].list.compactMap(\.string) == ["shutdown", "sleep"])
            #expect(awake["bus"].string == "ready" && awake["session"].string == nil)
            let metrics = try await host.ask("metrics").output
            #expect(metrics.contains("\nmediahost_sleeps_total 2\n"))
            #expect(metrics.contains("\nmediahost_sleeps_given_up_total 0\n"))
            try await host.terminate()
            try await logind.log.next(containing: "dropped sleep delay")
            // It was there from the beginning to the end.
            #expect(logind.log.text.components(separatedBy: "taken shutdown delay").count == 2)
        }
        try await Deadline.poll("the inhibitor of shutdown is let go") {
            logind.log.text.contains("dropped shutdown delay") ? true : nil
        }
    }

    /// A drain takes up to 3 s; this machine does not wait that long.
    @Test func whoKeepsTheMachineFromSleepingIsNamed() async throws {
        let logind = try await MockLogind(on: bus, in: place, ["DelayMaxUSec=2000000"])
        try await withHost(PauseTests.cutOff(place), in: place, environment: environment) { host in
            try await logind.log.next(containing: "taken sleep delay")
            try await host.log.next(containing: "pipeline cut: playing")
            #expect(try await host.ask("set", "cut", "v.drop=true").ending == .exit(0))
            try await logind.tell("sleep true")
            let line = try await host.log.next(containing: "the machine's sleep is not held up longer")
            #expect(line.hasSuffix("still busy: cut (its streams come to their end)"), "\(line)")
            try await logind.log.next(containing: "dropped sleep delay")
            let sleep = try await host.answer("status")["login"]["sleep"]
            #expect(sleep["given_up"].int == 1 && sleep["last_ns"].int ?? 0 >= 1_000_000_000)
            // The drain comes to its own end; a host that is told to end before that says so by its exit code.
            try await host.log.next(containing: "pipeline cut: stopped")
            try await host.terminate()
        }
    }

    @Test func theLockOfTheSessionIsTheHosts() async throws {
        let logind = try await MockLogind(on: bus, in: place)
        try await logind.tell("session c2")
        try await logind.tell("session other")
        let own = environment.merging(["XDG_SESSION_ID": "c2"]) { $1 }
        try await withHost(config(), in: place, environment: own) { host in
            try await host.log.next(containing: "session c2 is the one whose lock is followed")
            // That of somebody else says nothing.
            try await logind.tell("Lock other")
            for command in ["Lock c2", "hint c2 true"] {
                try await logind.tell(command)
                // Doubled: harmless.
                try await logind.tell(command)
                try await host.log.next(containing: "the session is locked")
                #expect(try await desired(host).contains("locked"))
                try await logind.tell("Unlock c2")
                try await logind.tell("hint c2 false")
                try await host.log.next(containing: "the session is unlocked")
                #expect(try await desired(host) == [])
            }
            #expect(host.log.lines.filter { $0.contains("the session is locked") }.count == 2)
            let login = try await host.answer("status")["login"]
            #expect(login["session"].string == "c2" && login["locked_hint"].bool == false)
        }
    }

    @Test func aSessionThatBeginsLaterIsFollowed() async throws {
        let logind = try await MockLogind(on: bus, in: place)
        try await withHost(config(), in: place, environment: environment) { host in
            try await host.log.next(containing: "there is no session whose lock could be followed")
            try await logind.tell("session 3 true")
            try await host.log.next(containing: "session 3 is the one whose lock is followed")
            try await host.log.next(containing: "the session is locked")
            // The seat is somebody else's now.
            try await logind.tell("session 4")
            try await host.log.next(containing: "session 4 is the one whose lock is followed")
            try await host.log.next(containing: "the session is unlocked")
            // "Switch user": nobody is there yet who has logged in, and the screen behind is locked as before.
            try await logind.tell("Lock 4")
            try await host.log.next(containing: "the session is locked")
            try await logind.tell("greeter g1")
            try await logind.tell("Unlock 4")
            try await host.log.next(containing: "the session is unlocked")
            #expect(try await host.answer("status")["login"]["session"].string == "4")
            #expect(
                !host.log.text.contains("session g1") && host.log.text.components(separatedBy: "is unlocked").count == 3
            )
        }
    }

    @Test func aShutdownWaitsForTheEndOfTheHost() async throws {
        let logind = try await MockLogind(on: bus, in: place)
        try await withHost(config(), in: place, environment: environment) { host in
            try await logind.log.next(containing: "taken sleep delay")
            try await host.log.next(containing: "first buffer")
            // Called off before it began: nothing. Signals come in order, so it was heard when the sleep is.
            try await logind.tell("shutdown false")
            try await logind.tell("sleep true")
            try await host.log.next(containing: "the machine may sleep")
            #expect(try await desired(host) == ["suspended"])
            try await logind.tell("sleep false")
            try await host.log.next(containing: "first buffer")
            try await awaitFrames()
            try await logind.tell("shutdown true")
            // Called off when it has begun: there is no way back.
            try await logind.tell("shutdown false")
            try await host.log.next(containing: "the machine is about to shut down: ending")
            #expect(try await host.child.end() == .exit(0), "\(host.log.text)")
            // For the sleep, and by its end, which may come before that was called off.
            try await Deadline.poll("the inhibitor is let go") {
                logind.log.text.components(separatedBy: "dropped sleep delay").count == 3
                    && logind.log.text.contains("dropped shutdown delay") ? true : nil
            }
            #expect(host.log.text.contains("pipeline recording: stopped"))
            #expect(try await !Clip(decoding: place.path("clip.mkv")).frames.isEmpty)
        }
    }

    @Test func whatALogindThatWasAwayDidNotTellIsRead() async throws {
        var logind = try await MockLogind(on: bus, in: place)
        try await logind.tell("session 1")
        try await withHost(config(), in: place, environment: environment) { host in
            try await host.log.next(containing: "first buffer")
            // Neither waits for the other.
            try await logind.log.next(containing: "taken sleep delay")
            try await Deadline.poll("the session") {
                try await host.answer("status")["login"]["session"].string == "1" ? true : nil
            }
            try await logind.tell("sleep true")
            try await host.log.next(containing: "the machine may sleep")
            // The machine wakes while logind is away; the screen was locked.
            try await logind.crash()
            try await host.log.next(containing: "systemd-logind is not on the bus")
            #expect(try await host.answer("status")["login"]["bus"].string == "away")
            logind = try await MockLogind(on: bus, in: place, ["LockedSession=1"])
            try await logind.log.next(containing: "taken sleep delay")
            try await Deadline.poll("a host that is awake and locked") {
                try await desired(host) == ["locked"] ? true : nil
            }
            #expect(host.log.text.contains("systemd-logind is there") && host.log.text.contains("the machine is awake"))
            try await logind.tell("Unlock 1")
            try await Deadline.poll("the recording") {
                try await host.answer("status")["pipelines"]["recording"]["state"].string == "playing" ? true : nil
            }
            // And the other way round: it is about to sleep when it comes back.
            try await logind.crash()
            try await host.log.next(containing: "systemd-logind is not on the bus")
            logind = try await MockLogind(on: bus, in: place, ["PreparingForSleep=true"])
            try await host.log.next(containing: "the machine is about to sleep")
            try await host.log.next(containing: "pipeline recording: stopped")
            #expect(try await desired(host).contains("suspended"))
            try await logind.tell("sleep false")
            try await host.log.next(containing: "first buffer")
        }
    }

    /// logind leaves the key alone, and a rule says what it is for.
    @Test func thePowerKeyPausesInPlaceOfLogind() async throws {
        let logind = try await MockLogind(on: bus, in: place)
        try KeyDevice.make(place.path("front"))
        let more = """
            login: { bus: "\(bus.address)", power-key: take }
            inputs: { front: { device: \(place.path("front")), long: 40s, hold: 60s } }
            rules:
              - { when: input.key, if: { key: KEY_POWER, press: short }, lifecycle: pause }

            """
        try await withHost(config(more), in: place) { host in
            try await logind.log.next(containing: "taken handle-power-key block")
            try await host.log.next(containing: "input front: \(place.path("front")) is there")
            let front = try KeyDevice(place.path("front"))
            try front.key(KeyDevice.power, 1)
            try front.key(KeyDevice.power, 0)
            try await Deadline.poll("the pause") { try await desired(host) == ["paused"] ? true : nil }
            let login = try await host.answer("status")["login"]
            #expect(login["inhibitors"].list.map(\.string).contains("handle-power-key"), "\(login)")
            try await host.terminate()
        }
        try await logind.log.next(containing: "dropped handle-power-key block")
    }

    @Test func theConfigSaysWhatIsFollowedAndAReloadChangesIt() async throws {
        let logind = try await MockLogind(on: bus, in: place)
        let file = try place.write(
            config("login: { bus: \"\(bus.address)\", sleep: ignore, power-key: take }\n"), to: "config.yaml")
        let host = try MediahostProcess(file, in: place)
        try await logind.log.next(containing: "taken shutdown delay")
        try await logind.log.next(containing: "taken handle-power-key block")
        try place.write(config("login: { bus: \"\(bus.address)\" }\n"), to: "config.yaml")
        #expect(try await host.ask("reload").ending == .exit(0))
        try await logind.log.next(containing: "dropped handle-power-key block")
        try await logind.log.next(containing: "taken sleep delay")
        try place.write(config("login: { bus: off }\n"), to: "config.yaml")
        #expect(try await host.ask("reload").ending == .exit(0))
        try await Deadline.poll("nothing that is held") {
            let text = logind.log.text
            return text.contains("dropped sleep delay") && text.contains("dropped shutdown delay") ? true : nil
        }
        let login = try await host.answer("status")["login"]
        #expect(login["bus"].string == "off" && login["inhibitors"].list.isEmpty)
        try place.write(config("login: { bus: nowhere }\n"), to: "config.yaml")
        let refusal = try await host.ask("reload")
        #expect(refusal.ending != .exit(0) && refusal.errors.contains("\"bus\" cannot be"), "\(refusal.errors)")
        try await host.terminate()
    }

    @Test func aHostWithoutASystemBusSaysSoOnceAndRuns() async throws {
        try await withHost(config(), in: place) { host in
            try await host.log.next(containing: "are not followed: there is no system bus (unix:path=/nowhere)")
            try await host.log.next(containing: "first buffer")
            #expect(try await host.answer("status")["login"]["bus"].string == "unreachable")
            try await host.terminate()
            #expect(host.log.lines.filter { $0.contains("are not followed") }.count == 1)
        }
    }
}
