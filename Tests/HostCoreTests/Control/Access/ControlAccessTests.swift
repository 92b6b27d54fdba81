import CGLib
import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Who gets in, over real sockets; the clock is virtual.
@Suite(.timeLimit(.minutes(10))) struct ControlAccessTests {
    private let place: TemporaryDirectory
    private let path: String
    private let clock = VirtualClock()
    private let target: FakeTarget
    private let token = "0123456789abcdef-full"
    private let readOnly = "0123456789abcdef-look"

    init() async throws {
        MainLoopThread.start()
        place = try TemporaryDirectory()
        path = place.path("control.sock")
        target = await FakeTarget()
    }

    private func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let path = place.path(name)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, mode)
        return path
    }

    private func network() throws -> ControlSettings {
        var network = NetworkSettings()
        network.tokenFile = try write(token + "\n", to: "token")
        network.readOnlyTokenFile = try write(readOnly, to: "look")
        var settings = ControlSettings()
        settings.network = network
        return settings
    }

    @HostActor private func server(_ settings: ControlSettings) -> ControlServer {
        ControlServer(
            socketPath: path, routes: ControlRoutes.routes(over: target), settings: settings, clock: clock)
    }

    private func ask(_ request: String, _ port: UInt16) async throws -> String {
        try await blocking {
            let client = try RawClient(port: port)
            client.write(request)
            client.closeSending()
            return client.read()
        }
    }

    @HostActor private static func peer(of file: Int32) -> LocalAccess.Peer? {
        let socket = g_socket_new_from_fd(file, nil)
        defer { g_object_unref(socket) }
        return LocalAccess.peer(of: socket)
    }

    private func request(_ method: String, _ path: String, _ fields: String...) -> String {
        "\(method) \(path) HTTP/1.1\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n"
    }

    // MARK: TCP

    /// Nobody can keep all places by asking half a question in each.
    @Test func oneAddressHasNotAllThePlaces() async throws {
        let server = await server(try network())
        try await server.start()
        let port = try #require(await server.networkPort)
        let right = request("GET", "/v1/status", "Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token)")
        let clients = try await blocking {
            try (0..<80).map { _ in
                let client = try RawClient(port: port)
                client.write("GET / HT")
                return client
            }
        }
        #expect(try await ask(right, port).hasPrefix("HTTP/1.1 200"))
        #expect(await server.networkConnections.count <= ConnectionLimits().mostHeadsOfOne + 1)
        #expect(try await blocking { clients.first.map { $0.read() } } == "")
        await server.stop()
    }

    @Test func overTheNetworkATokenDecides() async throws {
        let server = await server(try network())
        try await server.start()
        let port = try #require(await server.networkPort)
        let host = "Host: 127.0.0.1:\(port)"
        let none = try await ask(request("GET", "/v1/status", host), port)
        #expect(none.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"), "\(none)")
        #expect(
            none.contains("\r\nWWW-Authenticate: Bearer realm=\"mediahost\"\r\n")
                && none.contains(#""code":"unauthorized""#))
        let right = try await ask(request("GET", "/v1/status", host, "Authorization: Bearer \(token)"), port)
        #expect(right.hasPrefix("HTTP/1.1 200"), "\(right)")
        let look = try await ask(request("GET", "/v1/status", host, "Authorization: Bearer \(readOnly)"), port)
        #expect(look.hasPrefix("HTTP/1.1 200"))
        let change = try await ask(request("POST", "/v1/pause", host, "Authorization: Bearer \(readOnly)"), port)
        #expect(change.hasPrefix("HTTP/1.1 403"), "\(change)")
        let evil = try await ask(
            request("GET", "/v1/status", "Host: evil.example", "Authorization: Bearer \(token)"), port)
        #expect(evil.hasPrefix("HTTP/1.1 403"))
        let page = try await ask(
            request("GET", "/v1/status", host, "Origin: http://evil.example", "Authorization: Bearer \(token)"), port)
        #expect(page.hasPrefix("HTTP/1.1 403") && !page.contains("Access-Control"))
        for method in ["OPTIONS", "GET", "POST"] {
            let anything = try await ask(request(method, "*", "Host: evil.example"), port)
            #expect(anything.hasPrefix("HTTP/1.1 403"), "\(anything)")
            let unknown = try await ask(request(method, "*", host), port)
            #expect(unknown.hasPrefix("HTTP/1.1 401"), "\(unknown)")
        }
        let head = try await ask(request("HEAD", "/v1/status", host), port)
        #expect(head.hasPrefix("HTTP/1.1 401") && head.hasSuffix("\r\n\r\n"))
        #expect(await target.status()["paused"] == false)
        await server.stop()
        #expect(throws: (any Error).self) { try RawClient(port: port) }
    }

    /// Whoever has no token must not make the host read, or keep, what it sends.
    @Test func aBodyIsNotWaitedForWithoutAToken() async throws {
        let server = await server(try network())
        try await server.start()
        let port = try #require(await server.networkPort)
        let answer = try await blocking {
            let client = try RawClient(port: port)
            client.write("POST /v1/pause HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 900000000\r\n\r\n{")
            return client.readAnswer()
        }
        #expect(answer.hasPrefix("HTTP/1.1 401"), "\(answer)")
        await server.stop()
    }

    @Test func aNewTokenComesIntoForceWhenItIsReadAgain() async throws {
        let server = await server(try network())
        try await server.start()
        let port = try #require(await server.networkPort)
        let old = request("GET", "/v1/status", "Host: 127.0.0.1", "Authorization: Bearer \(token)")
        let new = request("GET", "/v1/status", "Host: 127.0.0.1", "Authorization: Bearer another-0123456789ab")
        #expect(try await ask(old, port).hasPrefix("HTTP/1.1 200"))
        _ = try write("another-0123456789ab", to: "token")
        #expect(try await server.readTokens())
        #expect(try await !server.readTokens())
        #expect(try await ask(old, port).hasPrefix("HTTP/1.1 401"))
        #expect(try await ask(new, port).hasPrefix("HTTP/1.1 200"))
        _ = try write("short", to: "token")
        await #expect(throws: ControlError.self) { _ = try await server.readTokens() }
        #expect(try await ask(new, port).hasPrefix("HTTP/1.1 200"))
        await server.stop()
    }

    @Test func withoutAGoodTokenNothingListens() async throws {
        var settings = try network()
        settings.network?.tokenFile = try write(token, to: "open", mode: 0o644)
        let refused = await server(settings)
        let error = await #expect(throws: ControlError.self) { try await refused.start() }
        #expect(error?.code == .denied)
        #expect(!place.exists("control.sock"))
        settings.network?.tokenFile = place.path("look")
        let same = await server(settings)
        let twice = await #expect(throws: ControlError.self) { try await same.start() }
        #expect(twice?.message == "`token-file` and `read-only-token-file` hold the same token: make another one")
    }

    @Test func aPortThatIsTakenIsNamedAndLeavesNothing() async throws {
        let first = await server(try network())
        try await first.start()
        var settings = try network()
        settings.network?.port = try #require(await first.networkPort)
        let second = await ControlServer(socketPath: place.path("other.sock"), routes: [], settings: settings)
        let error = await #expect(throws: ControlError.self) { try await second.start() }
        #expect(error?.message.contains("cannot listen on 127.0.0.1 port \(settings.network?.port ?? 0)") == true)
        #expect(!place.exists("other.sock"))
        await first.stop()
    }

    // MARK: The unix socket

    @Test func theSocketHasTheModeAndGroupOfTheConfig() async throws {
        var settings = ControlSettings()
        settings.access.mode = 0o600
        settings.access.group = "\(getgid())"
        let server = await server(settings)
        try await server.start()
        #expect(try place.mode("control.sock") == 0o600)
        await server.stop()
        settings.access.group = "no-such-group-here"
        let other = await self.server(settings)
        let error = await #expect(throws: ControlError.self) { try await other.start() }
        #expect(error?.message.contains("there is no group `no-such-group-here`") == true)
    }

    @Test func onlyListedUsersAreLetInBesideRootAndTheHostsOwn() throws {
        var access = SocketAccess()
        func admitted(_ users: [UInt32?]) throws -> [UInt32?] {
            let local = try LocalAccess(access, own: 1000)
            return users.filter { user in local.allows(user.map { LocalAccess.Peer(user: $0, process: 1) }) }
        }
        #expect(try admitted([nil, 4242]) == [nil, 4242])
        access.users = ["4242"]
        #expect(try admitted([nil, 0, 1000, 4242, 4243]) == [0, 1000, 4242])
        access.users = ["no-such-user-here"]
        #expect(throws: ControlError.self) { try LocalAccess(access) }
    }

    @Test func theKernelSaysWhoIsThere() async throws {
        let server = await server(ControlSettings())
        try await server.start()
        let client = try RawClient(path)
        let file = dup(client.descriptor)
        let peer = await Self.peer(of: file)
        #expect(peer == LocalAccess.Peer(user: geteuid(), process: getpid()))
        await server.stop()
    }

    private static let setpriv = "/usr/bin/setpriv"
    private static let curl = "/usr/bin/curl"
    private static var canBeOthers: Bool {
        geteuid() == 0 && access(setpriv, X_OK) == 0 && access(curl, X_OK) == 0
    }

    /// The decision was tested with made-up peers, and the refusal with nobody listed: nobody had come as somebody else.
    @Test(
        .enabled(
            if: canBeOthers, "needs root, setpriv (Debian package util-linux) and curl, to ask as another user"))
    func anotherUserIsLetInWhereTheConfigListsIt() async throws {
        var settings = ControlSettings()
        settings.access.mode = 0o666
        settings.access.users = ["65533"]
        chmod(place.path, 0o755)
        let server = await server(settings)
        try await server.start()
        let path = path
        func answer(as user: Int) async throws -> String {
            try await blocking {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: Self.setpriv)
                process.arguments = [
                    "--reuid=\(user)", "--regid=\(user)", "--clear-groups", Self.curl, "--silent", "--include",
                    "--max-time", "60", "--unix-socket", path, "http://h/v1/status",
                ]
                let output = Pipe()
                process.standardOutput = output
                try process.run()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return text
            }
        }
        let stranger = try await answer(as: 65532)
        #expect(stranger.hasPrefix("HTTP/1.1 403") && stranger.contains("does not list you"), "\(stranger)")
        let listed = try await answer(as: 65533)
        #expect(listed.hasPrefix("HTTP/1.1 200"), "\(listed)")
        await server.stop()
    }

    @Test func whoIsTurnedAwayHearsWhy() async throws {
        let server = await server(ControlSettings())
        try await server.start()
        let path = path
        await server.turnEverybodyAway()
        let answer = try await blocking {
            let client = try RawClient(path)
            client.write("GET /v1/status HTTP/1.1\r\nHost: h\r\n\r\n")
            client.closeSending()
            return client.read()
        }
        #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("does not list you"), "\(answer)")
        await server.stop()
    }
}
