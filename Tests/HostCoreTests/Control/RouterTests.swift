import Testing

@testable import HostCore

@Suite struct RouterTests {
    private let router = Router(routes: [
        route(.get, "/v1"), route(.get, "/v1/status"), route(.post, "/v1/pause"),
        route(.post, "/v1/plugins/{instance}/commands/{command}"), route(.delete, "/v1/status"),
        route(.get, "/files/{owner}/{path...}"),
    ])

    private static func route(_ method: Route.Method, _ path: String) -> Route {
        Route(method, path, "") { (_: ControlRequest) -> ControlResponse in ControlResponse(body: .null) }
    }

    private func describe(_ method: String, _ path: String) -> String {
        switch router.find(method: method, path: path) {
        case .route(let route, let parameters):
            "\(route.method.rawValue) \(route.path) \(parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })"
        case .wrongMethod(let allowed, _, _): "allow \(allowed)"
        case .unknown(let nearest): "unknown, \(nearest?.path ?? "nothing near")"
        case .broken: "broken"
        }
    }

    @Test(arguments: [
        ("GET", "/v1", "GET /v1 []"),
        ("HEAD", "/v1/status", "GET /v1/status []"),
        ("DELETE", "/v1/status", "DELETE /v1/status []"),
        ("POST", "/v1/status", #"allow ["GET", "HEAD", "DELETE"]"#),
        ("BREW", "/v1/pause", #"allow ["POST"]"#),
        (
            "POST", "/v1/plugins/a%2Fb/commands/s%C3%A4ve",
            #"POST /v1/plugins/{instance}/commands/{command} ["command=säve", "instance=a/b"]"#
        ),
        ("POST", "/v1/plugins//commands/save", "unknown, /v1/plugins/{instance}/commands/{command}"),
        ("POST", "/v1/plugins/replay/command/save", "unknown, /v1/plugins/{instance}/commands/{command}"),
        ("GET", "/v1/statsu", "unknown, /v1/status"),
        ("GET", "/v1/status/", "unknown, /v1/status"),
        ("GET", "/a/very/different/thing", "unknown, nothing near"),
        ("GET", "", "unknown, nothing near"),
        ("GET", "*", "unknown, nothing near"),
        ("GET", "/files/me/a/b%2Fc/", #"GET /files/{owner}/{path...} ["owner=me", "path=a/b%2Fc/"]"#),
        ("GET", "/files/me/", #"GET /files/{owner}/{path...} ["owner=me", "path="]"#),
        ("GET", "/files/me", "unknown, nothing near"),
        ("GET", "/files/me/a%zz", "broken"),
        ("GET", "/v1/st%zztus", "broken"),
        ("GET", "/v1/%00", "broken"),
        ("GET", "/v1/%ff", "broken"),
        ("GET", "/v1/%2", "broken"),
    ])
    func findsTheRouteOrSaysWhatIsWrong(method: String, path: String, expected: String) {
        #expect(describe(method, path) == expected)
    }

    @Test(arguments: ["/there", "/here"])
    func theFirstThatMatchesWins(path: String) throws {
        let router = Router(routes: [Self.route(.get, "/there"), Self.route(.get, "/{any}"), Self.route(.get, "/here")])
        guard case .route(let route, let parameters) = router.find(method: "GET", path: path) else {
            Issue.record("\(path) was not found")
            return
        }
        #expect(route.path == (path == "/there" ? path : "/{any}"))
        #expect(parameters == (path == "/there" ? [:] : ["any": "here"]))
    }

    @Test func queryIsDecodedAndDuplicatesAreRefused() throws {
        #expect(try PercentText.query("a=1&b=x%20y+z&flag&e=&") == ["a": "1", "b": "x y z", "flag": "", "e": ""])
        #expect(throws: ControlError(.invalid, "the query gives `a` twice: give it once")) {
            try PercentText.query("a=1&a=2")
        }
        #expect(throws: ControlError.self) { try PercentText.query("a=%f") }
    }
}
