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
        do {
            let request = try route.check(ControlRequest(method: .post, body: body))
            let answer = await route.handler(request)
            return withExtendedLifetime(target) { answer.body }
        } catch {
            return error.body
        }
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
            (
                "/v1/low-power", nil,
                #"the body of POST /v1/low-power lacks "on": whether it is to be saved"#
            ),
            ("/v1/low-power", ["on": "yes"], #""on" must be true or false, not the text "yes""#),
            ("/v1/low-power", ["on": "true"], #""on" must be true or false, not the text "true""#),
            ("/v1/low-power", ["on": .null], #""on" must be true or false, not null"#),
            (
                "/v1/interrupt/begin", ["sorce": "x"],
                #"the body of POST /v1/interrupt/begin has no "sorce": did you mean "source"? (it takes source)"#
            ),
            ("/v1/interrupt/begin", ["source": ""], #""source" must have 1 to 64 characters, not 0"#),
            (
                "/v1/interrupt/begin", ["source": "call\n\u{1b}[31mstate: running"],
                #""source" must be a line of text: it has a control character, as a new line or an escape"#
            ),
            ("/v1/interrupt/begin", ["source": 5], #""source" must be a text, not 5"#),
            ("/v1/interrupt/end", ["resume": 1], #""resume" must be true or false, not 1"#),
            (
                "/v1/interrupt/end", [1],
                "the body of POST /v1/interrupt/end must be a JSON object (it takes source, resume)"
            ),
            ("/v1/lock", ["now": true], #"the body of POST /v1/lock has no "now" (it takes nothing)"#),
            ("/v1/lock", 5, "the body of POST /v1/lock must be a JSON object (it takes nothing)"),
        ]
        for (path, body, message) in cases {
            #expect(try await ask(path, body)?["detail"]?.string == message, "\(path)")
        }
    }
}
