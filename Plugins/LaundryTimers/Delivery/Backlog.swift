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

    var first: Element? { isEmpty ? nil : elements[start] }

    mutating func take(_ most: Int) -> [Element] { take(to: min(start + most, elements.count)) }

    /// Those in front that are so.
    mutating func take(while isSo: (Element) -> Bool) -> [Element] {
        take(to: elements[start...].firstIndex { !isSo($0) } ?? elements.count)
    }

    private mutating func take(to end: Int) -> [Element] {
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
