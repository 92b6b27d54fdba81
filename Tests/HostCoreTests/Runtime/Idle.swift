import CGLib

@testable import HostCore

/// Returns when the loop has nothing else to do: watched files come after the host's own work, and this after them. A busy process
/// may have something to do for long.
@HostActor
func idle() async { await turn(at: 300) }

/// Returns when the loop has gone round so often: each time, all that is ready is done, however much is.
@HostActor
func turns(_ count: Int) async {
    for _ in 0..<count { await turn(at: G_PRIORITY_DEFAULT) }
}

@HostActor
private func turn(at priority: Int32) async {
    await withCheckedContinuation { continuation in
        let box = Unmanaged.passRetained(Resumption(continuation))
        g_idle_add_full(
            priority,
            { context in
                context.map { Unmanaged<Resumption>.fromOpaque($0).takeRetainedValue().continuation.resume() }
                return 0
            }, box.toOpaque(), nil)
    }
}

private final class Resumption: Sendable {
    let continuation: CheckedContinuation<Void, Never>
    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
}
