import Foundation
import Testing

@testable import HostCore

/// Runs what blocks on a thread of its own, never on the control thread.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// Until the control thread has done what was asked of it before. Its turns wait for no thread that other tests keep.
@HostActor
func until(_ awaited: String, _ isSo: @escaping @HostActor @Sendable () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < end {
        if isSo() { return }
        await Task.yield()
    }
    Issue.record("awaited \(awaited)")
}
