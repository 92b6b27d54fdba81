import Foundation
import Testing

/// `mediahost plugin check`: good plugins pass every trial, and of each fault the cause is named.
@Suite(.timeLimit(.minutes(10)))
struct PluginCheckTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        var module: String
        /// What is held of it: the trial that finds it.
        var trial: String
        var verdict: String
        /// Parts of what it says; after a slash, an expression.
        var says: [String]
        var limit = "60s"
        var testDescription: String { "\(module) in \(trial)" }

        init(_ module: String, _ trial: String, _ verdict: String = "failed", _ says: String..., limit: String = "60s")
        {
            self.module = module
            self.trial = trial
            self.verdict = verdict
            self.says = says
            self.limit = limit
        }
    }

    static let faults = [
        // AddressSanitizer has a malloc of its own, and what it holds is not what it says.
        ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil
            ? Fault("LeakMemory", "leak", "failed", "leaks memory: ", "bytes with each instance that comes and goes")
            : Fault("LeakMemory", "leak", "passed", "per instance: "),
        // One with each instance; how many there are depends on how long they take.
        Fault("LeakFile", "leak", "failed", "/leaks files: ([0-9]+) descriptors more after \\1 instances"),
        Fault("LeakThread", "leak", "failed", "/leaves threads behind: ([0-9]+) more after \\1 instances"),
        Fault("AnswerTwice", "storm", "failed", #"answered command "do" twice, with commands.reject"#),
        Fault("AnswerTwice", "storm/serialised", "failed", #"answered command "do" twice, with commands.reject"#),
        // A third of the limit is what it waits for an answer.
        Fault("NeverAnswer", "storm", "failed", #"did not answer "do" within 5000 ms"#, limit: "15s"),
        Fault("NeverAcknowledge", "storm", "failed", "did not acknowledge 1 changes of the lifecycle within 500 ms"),
        Fault("NeverAcknowledge", "storm/serialised", "failed", "did not acknowledge 1 changes of the lifecycle"),
        Fault("AcknowledgeTwice", "storm", "failed", "acknowledged a change of the lifecycle twice"),
        Fault("HangInEvent", "storm", "hung", "no end after 15s, in on_event (round ", limit: "15s"),
        Fault("HangInEvent", "storm/serialised", "hung", "no end after 15s, in on_event (round ", limit: "15s"),
        // 0, and under a sanitizer what that makes of it.
        Fault("ExitInEvent", "storm", "crashed", "it ended its process with code ", " in on_event"),
        Fault("ExitInEvent", "storm/serialised", "crashed", "it ended its process with code ", " in on_event"),
        Fault(
            "CrashInDeactivate", "lifecycle", "crashed", "SIGSEGV in deactivate (initialised, activated",
            "crashed with SIGSEGV in plugin tried (libCrashInDeactivate.so+0x"),
        Fault(
            "CrashInDeactivate", "lifecycle/serialised", "crashed", "SIGSEGV in deactivate",
            "libCrashInDeactivate.so+0x"),
        Fault(
            "KeepString", "storm", "failed", "read the event of on_event after that call had returned, in deactivate"),
        Fault("KeepString", "storm/serialised", "failed", "read the event of on_event after that call had returned"),
        Fault(
            "KeepValue", "lifecycle", "failed",
            "read the config of init with a function of mh.value after that call had returned"),
        Fault("KeepBuffer", "tap", "failed", "read a buffer of a tap after that call had returned"),
        Fault("MainFromThread", "lifecycle", "failed", "called get_extension on a thread of its own"),
        Fault("MainFromThread", "roles/serialised", "failed", "called get_extension on a thread of its own"),
        Fault("PostFromStream", "tap", "failed", "called events.post on a streaming thread", "do it in on_main"),
        Fault("PostFromStream", "tap/serialised", "failed", "called events.post on a streaming thread"),
        Fault("ReplyAfterDestroy", "roles", "failed", "called commands.reply after destroy"),
        Fault("ReadHostAfterDestroy", "roles", "failed", "used its mh_host_1 after destroy had returned"),
        Fault("CrashOnText", "config", "crashed", "SIGSEGV in init (settings ", #""text":""}"#),
        Fault("RefuseSilently", "config", "failed", "refused settings without a word"),
        Fault(
            "ExtraSymbols", "static", "passed",
            "warning: exports 1 symbol besides mh_plugin_entry_1: misbehaving_helper"),
        Fault("ForgetBuilder", "roles", "failed", "left 1 value builders unconsumed"),
        Fault("CallBeforeInit", "lifecycle", "failed", "called get_extension before init"),
        Fault(
            "PostInInit", "lifecycle", "failed", "called events.post in init",
            "events.h: [main, worker; ready or active]"),
        Fault("AnyId", "entry", "failed", #"create made an instance of the unknown id \"no.such.plugin\""#),
        Fault("PeekAtHost", "lifecycle", "failed", "looked behind host_data, in init"),
        Fault(
            "NoActivateTwice", "lifecycle", "failed",
            "activate failed after a deactivate (status -3): is active already"),
        Fault("CrashOnText", "config/serialised", "crashed", "SIGSEGV in init (settings "),
        Fault("KeepExpiry", "roles", "failed", "read the expiry of on_timer after that call had returned, in on_timer"),
        Fault("KeepExpiry", "roles/serialised", "failed", "read the expiry of on_timer after that call had returned"),
        Fault("ArmFromThread", "lifecycle", "failed", "called timer.arm on a thread of its own"),
        Fault("ArmUnclean", "lifecycle/serialised", "failed", "armed a timer whose `reserved` is 7"),
        Fault("ForeignCell", "lifecycle", "failed", "called metrics.add with a cell that declare did not give it"),
        Fault("KeepRetained", "tap", "failed", "buffers that it never released"),
        Fault("KeepRetained", "tap/serialised", "failed", "buffers that it never released"),
        Fault(
            "EventLoop", "storm", "failed", "posts an event because of one that followed from its own, without an end"),
        Fault("EventLoop", "storm/serialised", "failed", "posts an event because of one that followed from its own"),
        Fault("GiveUp", "lifecycle", "failed", "gave up while nothing happened: ", "the camera is gone"),
        Fault("AnyExtension", "lifecycle", "failed", #"get_extension returned a table for the unknown id \"\""#),
        Fault("BadText", "lifecycle", "failed", "gave log.write a text that is not valid UTF-8"),
        // The host calls its timer meanwhile, and may be in it just then: mostly it says "after tap.buffer on a streaming thread".
        Fault("HangInBuffer", "tap", "hung", "no end after 20s, ", limit: "20s"),
        Fault("CrashInBuffer", "tap", "crashed", "SIGABRT in tap.buffer on a streaming thread (first run)"),
        Fault("CrashInBuffer", "tap/serialised", "crashed", "SIGABRT in tap.buffer on a streaming thread"),
        Fault("NoCancel", "lifecycle", "failed", "its mh_commands_plugin_1 lacks functions"),
        Fault(
            "RefuseAll", "lifecycle", "failed", "refused settings that fit its schema: ", "there is no licence"),
        Fault("ExecutableStack", "static", "failed", "asks for an executable stack"),
        Fault("PastTheEnd", "entry", "failed", "descriptor(1) is not NULL, of 1"),
        Fault(
            "KeepRequest", "roles", "failed",
            "read the request of routes.request after that call had returned, in routes.request"),
        Fault("KeepRequest", "roles/serialised", "failed", "read the request of routes.request after that call"),
        Fault("RespondTwice", "roles", "failed", "answered request GET /page twice, with routes.reject"),
        Fault("RespondTwice", "storm/serialised", "failed", " twice, with routes.reject"),
        Fault("KeepName", "tap", "failed", "read the name of gst.built after that call had returned, in gst.released"),
        Fault("WatchFromThread", "lifecycle", "failed", "called fd.watch on a thread of its own"),
        Fault("HangInFile", "roles", "hung", "no end after 15s, in on_fd", limit: "15s"),
        Fault("HangInFile", "roles/serialised", "hung", "no end after 15s, in on_fd", limit: "15s"),
        Fault("BreakWord", "config", "failed", "agreed to settings and did not take them"),
        Fault("BreakWord", "config/serialised", "failed", "agreed to settings and did not take them"),
        Fault("RefuseLiveSilently", "config", "failed", "refused settings without a word while it runs"),
        Fault(
            "KeepLiveConfig", "config", "failed",
            "read the config of config.validate with a function of mh.value after that call had returned"),
        Fault("NeverRespond", "storm", "failed", "did not answer ", " within 5000 ms", limit: "15s"),
    ]

    private static func check(_ words: [String], limit: String = "60s") async throws -> Tool.Result {
        let place = try Workplace()
        return try await Tool.run(
            Workplace.mediahost, ["plugin", "check"] + words, environment: ["MEDIAHOST_TRIAL_LIMIT": limit],
            in: place.directory, within: .seconds(240))
    }

    @Test(arguments: faults) func aFaultIsFoundAndItsCauseNamed(_ fault: Fault) async throws {
        let file = try await MisbehavingPlugins.file(fault.module)
        let result = try await Self.check([file, "--json", "--seed=1", "--only=\(fault.trial)"], limit: fault.limit)
        let isGood = fault.verdict == "passed"
        #expect(result.ending == .exit(isGood ? 0 : 1), "\(result.output)\(result.errors)")
        let trial = try #require(try JSON(result.output)["trials"].list.first { $0["name"].string == fault.trial })
        #expect(trial["verdict"].string == fault.verdict, "\(result.output)")
        for text in fault.says where !result.output.contains(text) {
            if text.hasPrefix("/") {
                let found = result.output.range(of: String(text.dropFirst()), options: .regularExpression)
                #expect(found != nil, "\(text) in \(result.output)")
                continue
            }
            let plain = text.replacingOccurrences(of: "\"", with: "\\\"")
            #expect(result.output.contains(plain), "\(text) in \(result.output)")
        }
    }

    @Test(arguments: ["Good", "minimal", "frame-counter"]) func aGoodPluginPassesEveryTrial(_ module: String)
        async throws
    {
        let file = try await MisbehavingPlugins.file(module)
        let result = try await Self.check([file])
        #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
        #expect(result.output.contains("14 trials: 14 passed, in "), "\(result.output)")
        // What the host and the trial itself hold does not grow.
        #expect(result.output.contains("per instance: 0 bytes; in all 0 files, 0 threads"), "\(result.output)")
    }

    @Test func theReplayBufferPassesEveryTrial() async throws {
        let result = try await Self.check(["\(Workplace.products)/libReplayBuffer.so"])
        #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
        #expect(result.output.contains("14 trials: 14 passed, in "), "\(result.output)")
        // What the host and the trial itself hold does not grow.
        #expect(result.output.contains("per instance: 0 bytes; in all 0 files, 0 threads"), "\(result.output)")
    }

    /// It has no pad, so there is nothing to tap.
    @Test func theLaundryTimersPassEveryTrial() async throws {
        let result = try await Self.check(["\(Workplace.products)/libLaundryTimers.so"])
        #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
        #expect(result.output.contains("14 trials: 12 passed, 2 skipped, in "), "\(result.output)")
        #expect(result.output.contains("per instance: 0 bytes"), "\(result.output)")
    }

    /// Trials that need a library that loads are not held without one.
    @Test func whatCannotBeLoadedIsNotTriedFurther() async throws {
        let result = try await Self.check([try await FaultyPlugins.file("CrashInInit")])
        #expect(result.ending == .exit(1))
        #expect(result.output.contains("crashed with SIGSEGV while it was probed (in init)"), "\(result.output)")
        #expect(result.output.contains("1 passed, 1 crashed, 12 skipped"), "\(result.output)")
    }

    @Test func theSameSeedGivesTheSameTrial() async throws {
        let file = try await MisbehavingPlugins.file("CrashOnText")
        func reason() async throws -> String {
            let result = try await Self.check([file, "--json", "--seed=42", "--only=config/in-process"])
            let trials = try JSON(result.output)["trials"].list
            #expect(trials.count == 1)
            return try #require(trials.first?["reason"].string)
        }
        let first = try await reason()
        #expect(first.contains("seed 42"))
        #expect(try await reason() == first)
    }

    @Test func settingsThatTheSchemaRefusesAreSaid() async throws {
        let file = try await MisbehavingPlugins.file("Good")
        let result = try await Self.check([file, "colour=red", "--only=lifecycle"])
        #expect(result.ending == .exit(0))
        #expect(result.output.contains(#"unknown key "colour""#), "\(result.output)")
        #expect(result.output.contains("give them as KEY=VALUE"), "\(result.output)")
    }

    @Test func settingsComeFromAFileAndFromTheCommandLine() async throws {
        let place = try Workplace()
        let settings = try place.write("module: x\ntext: [1]\n", to: "settings.yaml")
        let file = try await MisbehavingPlugins.file("Good")
        let bad = try await Self.check([file, "--config=\(settings)", "--only=lifecycle/in-process"])
        #expect(bad.output.contains(#""text" must be a text"#), "\(bad.output)")
        let good = try await Self.check([file, "--config=\(settings)", "text=b", "--only=lifecycle/in-process"])
        #expect(good.output.contains("1 trials: 1 passed"), "\(good.output)")
    }

    @Test func wrongUseIsSaid() async throws {
        let file = try await MisbehavingPlugins.file("Good")
        for (words, says) in [
            ([], "give the file of a plugin's library"), (["/nowhere.so"], "cannot read /nowhere.so"),
            ([file, "--only=strom"], #"there is no trial "strom"; did you mean "storm"?"#),
            ([file, "--seed=x"], "--seed is a whole number"), ([file, "novalue"], "write KEY=VALUE"),
        ] {
            let result = try await Self.check(words)
            #expect(result.ending == .exit(2))
            #expect(result.errors.contains(says), "\(result.errors)")
        }
        let list = try await Self.check(["--list"])
        #expect(list.output.split(separator: "\n").count == 14, "\(list.output)")
    }
}
