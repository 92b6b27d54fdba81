import Foundation
import Testing

/// The last words of a host that dies in a plugin.
@Suite(.timeLimit(.minutes(10)))
struct CrashTests {
    private static let config = """
        mediahost: 1
        pipelines: { camera: { launch: videotestsrc is-live=true ! fakesink } }
        plugins:
          first: { module: Crasher }
          second: { module: Silent }

        """

    /// A sanitizer would take the signals for itself, and report a crash that is meant as its own find.
    private static func environment(backtrace: String) -> [String: String] {
        let signals = ["segv", "sigbus", "abort", "sigill", "sigfpe", "sigtrap"].map { "handle_\($0)=0" }
        var environment = ["SWIFT_BACKTRACE": backtrace]
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
            guard let options = ProcessInfo.processInfo.environment[name] else { continue }
            environment[name] = ([options] + signals).joined(separator: " ")
        }
        return environment
    }

    private func crash(_ command: String, backtrace: String) async throws -> (String, ChildProcess.Ending) {
        let place = try Workplace()
        let host = try await MediahostProcess(
            place.write(Self.config, to: "config.yaml"), in: place, plugins: ThirdParty.plugins(),
            environment: Self.environment(backtrace: backtrace))
        try await host.log.next(containing: "control socket")
        _ = try await host.ask("call", "first.\(command)")
        let ending = try await host.child.end(within: .seconds(90))
        return (host.log.text, ending)
    }

    /// A trap is another signal on each kind of machine.
    #if arch(x86_64) || arch(i386)
        private static let trap = ("SIGILL", SIGILL)
    #else
        private static let trap = ("SIGTRAP", SIGTRAP)
    #endif

    @Test(arguments: ["segv", "trap", "breakpoint", "abort", "jump", "together"])
    func theLastLineNamesThePlugin(_ command: String) async throws {
        let says: [String: (String, Int32)] = [
            "segv": ("SIGSEGV in plugin", SIGSEGV), "trap": ("\(Self.trap.0) in plugin", Self.trap.1),
            "breakpoint": ("SIGTRAP in plugin", SIGTRAP),
            "abort": ("SIGABRT, called from plugin", SIGABRT), "jump": ("SIGSEGV, called from plugin", SIGSEGV),
            "together": ("SIGSEGV in plugin", SIGSEGV),
        ]
        let (text, number) = try #require(says[command])
        let (log, ending) = try await crash(command, backtrace: "enable=no")
        let last = log.split(separator: "\n").last.map(String.init) ?? ""
        #expect(last.hasPrefix("mediahost: crashed with \(text) first (libCrasher.so+0x"), "\(log)")
        #expect(ending == .signal(number), "\(log)")
    }

    /// Swift's own report comes after it, of the same fault.
    @Test(
        .enabled(
            if: ["ASAN_OPTIONS", "TSAN_OPTIONS"].allSatisfy { ProcessInfo.processInfo.environment[$0] == nil },
            "Swift writes no backtrace of an instrumented process; `make test` without SANITIZE has this test"))
    func swiftsBacktraceStaysAsItIs() async throws {
        let (log, ending) = try await crash("segv", backtrace: "enable=yes,color=no,interactive=no,symbolicate=off")
        #expect(log.contains("mediahost: crashed with SIGSEGV in plugin first (libCrasher.so+0x"), "\(log)")
        #expect(log.contains("Program crashed: Bad pointer dereference at 0x0000000000000010"), "\(log)")
        #expect(ending == .signal(SIGSEGV), "\(log)")
    }

    /// A watchdog ends what hangs by SIGABRT: no crash, but the place is as good to know.
    @Test func aSignalFromOutsideIsToldAsThat() async throws {
        let place = try Workplace()
        #expect(mkfifo(place.path("hang.fifo"), 0o600) == 0)
        let config = """
            mediahost: 1
            pipelines: { camera: { launch: videotestsrc is-live=true ! fakesink } }
            plugins: { hanger: { module: Hanger } }
            """
        let host = try await MediahostProcess(
            place.write(config, to: "config.yaml"), in: place, plugins: ThirdParty.plugins(),
            environment: Self.environment(backtrace: "enable=no"))
        try await host.log.next(containing: "control socket")
        let call = Task { try await host.ask("call", "hanger.hang") }
        // The monitor speaks when it is inside.
        try await host.log.next(containing: "plugin hanger in invoke")
        host.send(SIGABRT)
        let ending = try await host.child.end(within: .seconds(60))
        #expect(ending == .signal(SIGABRT))
        #expect(host.log.text.contains("mediahost: was sent SIGABRT"), "\(host.log.text)")
        _ = try await call.value
    }
}
