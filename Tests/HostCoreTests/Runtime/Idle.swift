import CGLib

@testable import HostCore

/// Returns when the loop has nothing else to do: watched files come after the host's own work, and this after them.
@HostActor
func idle() async {
    await withCheckedContinuation { continuation in
        let box = Unmanaged.passRetained(Resumption(continuation))
        g_idle_add_full(
            300,
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
