import Foundation
import Testing

/// What a plugin can do wrong while it runs: the host goes on, says which plugin it was and what it did, and ends in order.
/// What it does wrong before that is in `FaultyPluginTests`; what ends the process with it, in `CrashTests`.
@Suite(.timeLimit(.minutes(10)))
struct RunningFaultTests {
    enum Provocation: Sendable {
        case none, call, pause, reloadWithout
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        var module: String
        var provoked: Provocation
        var says: String
        var testDescription: String { module }

        init(_ module: String, by provoked: Provocation = .none, _ says: String) {
            self.module = module
            self.provoked = provoked
            self.says = says
        }
    }

    static let faults = [
        Fault("SlowInit", " in init (at most 1s)"),
        Fault(
            "FloodEvents", "plugin bad: warning: posts more than 2000 events in a second (org.example.misbehaving.drop)"
        ),
        Fault("EventLoop", "plugin bad: warning: posts org.example.misbehaving.loop because of "),
        Fault("ArmFromThread", "plugin bad: warning: called timer.arm on a thread of its own"),
        Fault("AnswerTwice", by: .call, "plugin bad: warning: answered twice, or what it was not asked"),
        Fault(
            "NeverAcknowledge", by: .pause, "warning: plugin bad did not acknowledge within 500 ms; going on without it"
        ),
        Fault("ReplyAfterDestroy", by: .reloadWithout, "plugin bad: warning: answered after it was destroyed"),
    ]

    private static func config(_ module: String?, _ more: String = "") -> String {
        """
        mediahost: 1
        pipelines:
          camera: { launch: videotestsrc is-live=true name=source ! fakesink\(more) }
          other: { launch: videotestsrc is-live=true ! fakesink }
        plugins:
          good: { module: Good, pad: camera/source.src }

        """ + (module.map { "  bad: { module: \($0), pad: camera/source.src }\n" } ?? "")
    }

    @Test(arguments: faults) func theHostGoesOnAndNamesIt(_ fault: Fault) async throws {
        let place = try Workplace()
        let plugins = try await MisbehavingPlugins.directory()
        try await withHost(Self.config(fault.module), in: place, plugins: plugins) { host in
            try await host.log.next(containing: "first buffer")
            switch fault.provoked {
            case .none: break
            case .call: #expect(try await host.ask("call", "bad.do").ending == .exit(0))
            case .pause: #expect(try await host.ask("pause").ending == .exit(0))
            case .reloadWithout:
                #expect(try await host.ask("call", "bad.do").ending == .exit(0))
                try place.write(Self.config(nil), to: "config.yaml")
                #expect(try await host.ask("reload").ending == .exit(0))
            }
            // Said before or after the first buffer.
            try await Deadline.poll("\(fault.says) in \(host.log.text)") {
                host.log.text.contains(fault.says) ? true : nil
            }
            #expect(try await host.ask("call", "good.do").ending == .exit(0))
            // Where the machine is busy any call may take its 50 ms.
            let blamed = host.log.text.split(separator: "\n").filter { line in
                line.contains("plugin good") && (line.contains(fault.says) || !line.contains("kept the control thread"))
            }
            #expect(blamed.isEmpty, "\(host.log.text)")
            try await host.terminate()
        }
    }

    /// Nothing more can be asked of a host whose control thread is kept; who keeps it is known all the same.
    @Test func whoKeepsTheControlThreadIsNamed() async throws {
        let plugins = try await MisbehavingPlugins.directory()
        try await withHost(Self.config("HangInEvent"), in: Workplace(), plugins: plugins) { host in
            let line = try await host.log.next(containing: ": plugin bad in on_event; no command is answered")
            #expect(line.contains("the control role hangs for "))
        }
    }

    /// A tap that keeps its stream: the plugin cannot be freed and the pipeline not be closed, and both are left behind.
    @Test func whoKeepsAStreamIsNamedAtTheEnd() async throws {
        let plugins = try await MisbehavingPlugins.directory()
        let config = Self.config("HangInBuffer", ", start-timeout: 10s, restart: never")
        try await withHost(config, in: Workplace(), plugins: plugins) { host in
            try await host.log.next(containing: "it did not start within 10s")
            #expect(try await host.ask("call", "good.do").ending == .exit(0))
            host.send(SIGTERM)
            let ending = try await host.child.end()
            #expect(ending == .exit(0), "\(host.log.text)")
            #expect(host.log.text.contains("did not let go in time: bad"), "\(host.log.text)")
        }
    }
}
