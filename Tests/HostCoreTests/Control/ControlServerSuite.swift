import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// A suite that asks a served fake host.
protocol ControlServerSuite {
    var served: Served { get }
}

/// The fake host, its server and where that is.
struct Served {
    let place: TemporaryDirectory
    let path: String
    let target: FakeTarget
    let server: ControlServer

    init() async throws {
        MainLoopThread.start()
        place = try TemporaryDirectory()
        path = place.path("run/control.sock")
        target = await FakeTarget()
        server = await ControlServer(socketPath: path, routes: ControlRoutes.routes(over: target))
        try await server.start()
    }
}

extension ControlServerSuite {
    var place: TemporaryDirectory { served.place }
    var path: String { served.path }
    var target: FakeTarget { served.target }
    var server: ControlServer { served.server }

    func ask<Result: Sendable>(
        _ body: @escaping @Sendable (ControlClient) throws -> Result
    ) async throws -> Result {
        let client = ControlClient(socketPath: path)
        return try await blocking { try body(client) }
    }

    func raw(_ request: String, until end: String? = nil) async throws -> String {
        let path = path
        return try await blocking {
            let client = try RawClient(path)
            client.write(request)
            // Its connection ends with the answer then.
            client.closeSending()
            return client.read(until: end)
        }
    }

    func failure(_ body: @escaping @Sendable (ControlClient) throws -> Value) async -> ControlError? {
        do {
            Issue.record("answered \(try await ask(body))")
            return nil
        } catch { return error as? ControlError }
    }
}
