/// A place on the timeline that somebody named.
struct Marker: Equatable, Sendable {
    /// Counts from 1.
    var id: Int
    var name: String
    /// Media time in nanoseconds.
    var time: Int64
}

/// The newest `limit` of them. One whose place was evicted goes, too.
struct Markers: Sendable {
    static let limit = 256

    private(set) var all: [Marker] = []
    private(set) var last = 0

    init(_ all: [Marker] = [], last: Int = 0) { (self.all, self.last) = (all.suffix(Self.limit), max(0, last)) }

    mutating func add(_ name: String?, at time: Int64) -> Marker {
        last += 1
        let marker = Marker(id: last, name: name ?? "\(last)", time: time)
        if all.count == Self.limit { all.removeFirst() }
        all.append(marker)
        return marker
    }

    /// The newest of that name; else the one with that number.
    func find(_ name: String) -> Marker? {
        all.last { $0.name == name } ?? Int(name).flatMap { id in all.last { $0.id == id } }
    }

    mutating func remove(_ id: Int) { all.removeAll { $0.id == id } }

    mutating func evict(before oldest: Int64) { all.removeAll { $0.time < oldest } }

    mutating func reset() { all = [] }
}
