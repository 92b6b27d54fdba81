import HostTestKit
import Testing

@testable import HostCore

@Suite struct LifecycleRoutesTests {
    init() { MainLoopThread.start() }

    @HostActor
    private func ask(_ path: String, _ body: Value? = nil) async throws -> Value? {
        let target = FakeTarget()
        let routes = ControlRoutes.routes(over: target)
        let route = try #require(routes.first { $0.method == .post && $0.path == path })
        let answer = await route.handler(ControlRequest(method: .post, body: body))
        return withExtendedLifetime(target) { answer.body }
    }

    @Test @HostActor func eachTellsTheHostWhatHappened() async throws {
        let cases: [(String, Value?, LifecycleTrigger)] = [
            ("/v1/lock", nil, .locked(true)), ("/v1/unlock", nil, .locked(false)),
            ("/v1/interrupt/begin", nil, .interruptionBegan(source: "api")),
            ("/v1/interrupt/begin", ["source": "call"], .interruptionBegan(source: "call")),
            ("/v1/interrupt/end", nil, .interruptionEnded(source: "api", shouldResume: false)),
            (
                "/v1/interrupt/end", ["source": "call", "resume": true],
                .interruptionEnded(source: "call", shouldResume: true)
            ),
            ("/v1/low-power", ["on": true], .lowPower(true)), ("/v1/low-power", ["on": false], .lowPower(false)),
        ]
        for (path, body, trigger) in cases {
            #expect(try await ask(path, body)?["told"]?.string == "\(trigger)", "\(path)")
        }
    }

    @Test @HostActor func wrongBodiesAreRefused() async throws {
        let cases: [(String, Value?, String)] = [
            ("/v1/low-power", nil, #"the body must be {"on": true} or {"on": false}"#),
            ("/v1/low-power", ["on": "yes"], #""on" must be true or false"#),
            (
                "/v1/interrupt/begin", ["sorce": "x"],
                #"unknown key "sorce" in the body: did you mean "source"? there is source"#
            ),
            ("/v1/interrupt/begin", ["source": ""], #""source" must be a name of 1 to 64 bytes"#),
            ("/v1/interrupt/begin", ["source": 5], #""source" must be a name of 1 to 64 bytes"#),
            ("/v1/interrupt/end", ["resume": 1], #""resume" must be true or false"#),
            ("/v1/interrupt/end", [1], "the body must be a JSON object"),
        ]
        for (path, body, message) in cases {
            #expect(try await ask(path, body)?["detail"]?.string == message, "\(path)")
        }
    }
}
