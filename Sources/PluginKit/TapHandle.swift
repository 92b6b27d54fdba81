import Synchronization

/// The undo of `Host.attachTap`. Dropping it does not detach.
public final class TapHandle: Sendable {
    private let host: Host
    // The address of the host's tap; 0 before it is known and after it is gone.
    private let address = Atomic<UInt>(0)

    init(_ host: Host) { self.host = host }

    /// Asks for the end; the tap's `detached` follows. Twice is harmless.
    /// - Thread: main.
    public func detach() {
        guard let tap = OpaquePointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing)) else { return }
        host.detach(tap)
    }

    func opened(_ tap: OpaquePointer?) { address.store(UInt(bitPattern: tap), ordering: .releasing) }

    func closed() { address.store(0, ordering: .releasing) }
}
