import Foundation
import Testing

/// `mediahost plugin check` from outside: sound plugins pass, and what is wrong with others is told apart.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(
        if: ["ASAN_OPTIONS", "TSAN_OPTIONS"].allSatisfy { ProcessInfo.processInfo.environment[$0] == nil },
        "A sanitizer takes the faults that the check provokes for its own finds; `make test` without SANITIZE has these"
    ))
struct PluginCheckTests {
    private func check(_ module: String, _ more: String...) async throws -> Tool.Result {
        let place = try Workplace()
        return try await Tool.run(
            Workplace.mediahost,
            ["plugin", "check", "\(try await ThirdParty.plugins())/lib\(module).so"] + more, in: place.directory)
    }

    @Test func aSoundPluginPasses() async throws {
        let result = try await check("Minimal", "--only=static,probe,entry,lifecycle,storm,config,roles", "--seed=7")
        #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
        #expect(result.output.contains("passed   lifecycle/serialised"), "\(result.output)")
        #expect(result.output.contains("seed 7"), "\(result.output)")
    }

    /// Its commands do nothing but die.
    @Test func aCommandThatCrashesIsFoundByTheStorm() async throws {
        let result = try await check("Crasher", "--only=storm")
        #expect(result.ending == .exit(1), "\(result.output)\(result.errors)")
        #expect(result.output.contains("CRASHED  storm") && result.output.contains("invoke"), "\(result.output)")
    }

    @Test func aPauseThatIsNeverAnsweredIsFoundByTheStorm() async throws {
        let result = try await check("Silent", "--only=storm")
        #expect(result.ending == .exit(1), "\(result.output)\(result.errors)")
        #expect(result.output.contains("FAILED   storm"), "\(result.output)")
    }

    @Test func trialsAreListedAndUnknownOnesRefused() async throws {
        let place = try Workplace()
        let list = try await Tool.run(Workplace.mediahost, ["plugin", "check", "--list"], in: place.directory)
        #expect(list.ending == .exit(0) && list.output.contains("storm"), "\(list.output)\(list.errors)")
        let unknown = try await check("Minimal", "--only=strom")
        #expect(unknown.ending == .exit(2) && unknown.errors.contains("strom"), "\(unknown.errors)")
    }
}
