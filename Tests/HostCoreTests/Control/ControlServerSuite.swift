import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// A served fake host and how to ask it.
protocol ControlServerSuite {
    var place: TemporaryDirectory { get }
    var path: String { get }
}

/// What such a suite holds.
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
    /// Blocking calls run on a thread of their own, never on the control thread.
    func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

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
