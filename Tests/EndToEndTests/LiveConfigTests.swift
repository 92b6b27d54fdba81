import Glibc
import Testing

/// A C plugin with a timer, a file descriptor and a config that changes while it runs. `Clockwork` does as its greeting says.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct LiveConfigTests {
    private static func config(
        _ works: String, other: String = "greeting: hello", launch: String = "videotestsrc is-live=true ! fakesink"
    ) -> String {
        """
        mediahost: 1
        pipelines:
          camera: { launch: \(launch) }
        plugins:
          other: { module: Clockwork, \(other) }
          works:
            module: Clockwork
            \(works)

        """
    }

    private static let before = config("greeting: hello")

    private func reload(_ host: MediahostProcess, _ place: Workplace, _ config: String) throws {
        try place.write(config, to: "config.yaml")
        host.send(SIGHUP)
    }

    private func state(_ host: MediahostProcess, _ name: String = "works") async throws -> JSON {
        try await host.answer("call", "\(name).state")
    }

    @Test func ticksAndRings() async throws {
        try await withHost(Self.before, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try await Deadline.poll("three ticks and rings") {
                let state = try await self.state(host)
                return state["ticks"].int ?? 0 >= 3 && state["rings"].int ?? 0 >= 3 ? state : nil
            }
            let counters = try await host.answer("status")["plugins"]["works"]["counters"]
            #expect(counters["busy_files"].int == 0 && counters["refused_timers"].int == 0)
            try await host.terminate()
        }
    }

    /// Also of a plugin that takes no config while it runs.
    @Test func theSameConfigInOtherWordsTouchesNobody() async throws {
        let place = try Workplace()
        let counter = "  counter: { module: FrameCounter, pad: camera/v.src"
        let launch = "videotestsrc name=v is-live=true ! fakesink"
        let before = Self.config("greeting: hello", launch: launch) + counter + " }\n"
        try await withHost(before, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            let count = try await Deadline.poll("buffers") {
                let count = try await host.answer("call", "counter.count")["buffers"].int ?? 0
                return count > 5 ? count : nil
            }
            let state = try await state(host)
            let words = Self.config("greeting: \"hello\"\n    every: 20000us", launch: launch)
            try reload(host, place, words + counter + ", every: 100 }\n")
            try await host.log.next(containing: "plugins: adjusted works, counter, 1 unchanged")
            #expect(try await self.state(host)["instance"].int == state["instance"].int)
            #expect(try await host.answer("call", "counter.count")["buffers"].int ?? 0 >= count)
            try await host.terminate()
        }
    }

    @Test func anotherConfigIsTakenOverByTheSameInstance() async throws {
        let place = try Workplace()
        try await withHost(Self.before, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            let before = try await Deadline.poll("ticks") {
                let state = try await self.state(host)
                return state["ticks"].int ?? 0 > 0 ? state : nil
            }
            try reload(host, place, Self.config("greeting: good day\n    every: 5ms"))
            try await host.log.next(containing: "plugins: adjusted works, 1 unchanged")
            let after = try await state(host)
            // The same one: it goes on counting where it was.
            #expect(after["instance"].int == before["instance"].int)
            #expect(after["ticks"].int ?? 0 >= before["ticks"].int ?? 1)
            #expect(after["greeting"].string == "good day" && after["every_ns"].int == 5_000_000)
            let ticks = after["ticks"].int ?? 0
            try await Deadline.poll("more ticks") {
                try await (self.state(host)["ticks"].int ?? 0) > ticks + 2 ? true : nil
            }
            try await host.terminate()
        }
    }

    @Test func whatItRefusesIsShownAtItsLineAndNothingIsTouched() async throws {
        let place = try Workplace()
        try await withHost(Self.before, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try reload(host, place, Self.config("greeting: rude", other: "greeting: changed"))
            try await host.log.next(
                containing:
                    "config.yaml:8:15: error: plugin works does not take its new config: \"greeting\": be polite")
            try await host.log.next(
                containing: #"config.yaml:7:13: error: plugin works does not take its new config: "every": and patient"#
            )
            try await host.log.next(containing: "nothing was reloaded: 2 errors")
            #expect(try await state(host)["greeting"].string == "hello")
            #expect(try await state(host, "other")["greeting"].string == "hello")
            try await host.terminate()
        }
    }

    @Test func oneThatNeedsANewInstanceGetsOne() async throws {
        let place = try Workplace()
        try await withHost(Self.before, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try reload(host, place, Self.config("greeting: reborn"))
            try await host.log.next(containing: "plugins: replaced works, 1 unchanged")
            let after = try await state(host)
            #expect(after["instance"].int == 3 && after["greeting"].string == "reborn")
            try await host.terminate()
        }
    }

    /// One goes on, one asks for a new instance, one cannot do without.
    @Test func eachPluginOfAReloadGoesItsOwnWay() async throws {
        let place = try Workplace()
        let launch = "videotestsrc is-live=true name=v ! identity name=i ! fakesink"
        func config(_ works: String, _ other: String, _ pad: String) -> String {
            Self.config(works, other: other, launch: launch) + "  plain: { module: Minimal, pad: camera/\(pad) }\n"
        }
        try await withHost(
            config("greeting: hello", "greeting: hello", "v.src"), in: place, plugins: ThirdParty.plugins()
        ) { host in
            try await host.log.next(containing: "mediahost 0.")
            try reload(host, place, config("greeting: changed", "greeting: reborn", "i.src"))
            try await host.log.next(containing: "plugins: replaced other, plain, adjusted works")
            for (name, greeting, number) in [("other", "reborn", 3), ("works", "changed", 2)] {
                let state = try await state(host, name)
                #expect(state["greeting"].string == greeting && state["instance"].int == number)
            }
            try await host.terminate()
        }
    }

    /// A pipeline that somebody listens to cannot go, unless who listens goes, too.
    @Test func aTapMovesAwayFromAPipelineThatGoes() async throws {
        let place = try Workplace()
        func config(_ pipelines: String, _ pad: String) -> String {
            """
            mediahost: 1
            pipelines: { \(pipelines) }
            plugins:
              works: { module: Clockwork, place: \(pad) }

            """
        }
        let live = "{ launch: videotestsrc is-live=true name=v ! fakesink }"
        try await withHost(
            config("old: \(live), new: \(live)", "old/v.src"), in: place, plugins: ThirdParty.plugins()
        ) { host in
            try await host.log.next(containing: "mediahost 0.")
            try reload(host, place, config("new: \(live)", "new/v.src"))
            try await host.log.next(containing: "plugins: adjusted works")
            #expect(try await state(host)["instance"].int == 1)
            // Its config names the pipeline no longer, and so it may go; and the other way round it may not.
            try reload(host, place, config("old: \(live)", "new/v.src"))
            try await host.log.next(containing: #"plugin "works" taps pipeline "new", which is not there any more"#)
            try await host.log.next(containing: "all is as before: 1 error")
            try await host.terminate()
        }
    }

    /// The other has taken its new config by then, and takes the old one back. Who broke its word is made anew.
    @Test func oneThatDeclinesAfterAllBringsAllBack() async throws {
        let place = try Workplace()
        try await withHost(Self.before, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try reload(host, place, Self.config("greeting: fickle", other: "greeting: changed"))
            try await host.log.next(
                containing: "config.yaml:8:15: error: plugin works does not take its new config: \"greeting\": not now")
            try await host.log.next(containing: "and all is as before: 1 error")
            for (name, number) in [("other", 1), ("works", 3)] {
                let state = try await state(host, name)
                #expect(state["greeting"].string == "hello" && state["instance"].int == number)
            }
            try await host.terminate()
        }
    }

    @Test func whoDoesNotComeBackEitherGoesByItsPolicy() async throws {
        let place = try Workplace()
        try await withHost(
            Self.config("greeting: once\n    policy: restart"), in: place, plugins: ThirdParty.plugins()
        ) { host in
            try await host.log.next(containing: "mediahost 0.")
            try reload(host, place, Self.config("greeting: fickle\n    policy: restart"))
            try await host.log.next(containing: "plugin works: restarts in 1s (policy: restart)")
            try await host.log.next(containing: "and not all of the old came back: 2 errors")
            try await host.terminate()
        }
    }

    @Test func aPipelineThatDoesNotStartTakesTheConfigBack() async throws {
        let place = try Workplace()
        try await withHost(Self.before, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try reload(
                host, place,
                Self.config(
                    "greeting: changed", other: "greeting: sticky", launch: "filesrc location=/nowhere ! fakesink"))
            try await host.log.next(containing: #"pipeline "camera" does not start"#)
            try await host.log.next(containing: "and all is as before: 1 error")
            let works = try await state(host)
            #expect(works["greeting"].string == "hello" && works["instance"].int == 2)
            // Whoever does not go back is made anew.
            #expect(host.log.text.contains("does not take its old config back and is replaced"))
            let other = try await state(host, "other")
            #expect(other["greeting"].string == "hello" && other["instance"].int == 3)
            try await host.terminate()
        }
    }
}
