/// What waits in its order, taken from its front in pieces: a piece costs what it is long, not what waits behind it.
struct Backlog<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    init() {}

    var isEmpty: Bool { start == elements.count }
    var count: Int { elements.count - start }

    mutating func append(_ element: Element) { elements.append(element) }

    /// In front of all others.
    mutating func prepend(_ first: [Element]) {
        elements.replaceSubrange(..<start, with: first)
        start = 0
    }

    mutating func take(_ most: Int) -> [Element] {
        let end = min(start + most, elements.count)
        defer {
            start = end
            if start == elements.count || start >= 4096 && start * 2 >= elements.count {
                elements.removeFirst(start)
                start = 0
            }
        }
        return Array(elements[start..<end])
    }
}
