import Locking

/// Writes down what happens on any thread, in order, for a test to look at.
public final class Recorder<Element: Sendable>: Sendable {
    private let list = Locked<[Element]>([])

    public init() {}

    public func record(_ element: Element) { list.withLock { $0.append(element) } }

    public var elements: [Element] { list.withLock { $0 } }
}
