@testable import HostCore

/// Hands what came to who waits for it, in order.
@HostActor
final class Mailbox<Element: Sendable> {
    private(set) var waiting: [Element] = []
    private var waiter: CheckedContinuation<Element, Never>?

    nonisolated init() {}

    func put(_ element: Element) {
        guard let waiter else { return waiting.append(element) }
        self.waiter = nil
        waiter.resume(returning: element)
    }

    func next() async -> Element {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return await withCheckedContinuation { waiter = $0 }
    }
}
