/// What has passed the places of a pipeline in all its builds.
struct FlowTotals: Sendable, Equatable {
    struct Count: Sendable, Equatable {
        var buffers = 0
        var bytes = 0
    }

    /// By place, as `FlowLane` and `LastingNames` name it.
    private(set) var counts: [String: Count] = [:]

    mutating func add(_ place: String, _ count: Count) {
        counts[place, default: Count()].buffers += count.buffers
        counts[place, default: Count()].bytes += count.bytes
    }

    /// With what a build that still runs has counted.
    func adding(_ lanes: [FlowLane], _ names: LastingNames) -> FlowTotals {
        var all = self
        for lane in lanes { all.add(names[lane.name], lane.total) }
        return all
    }
}
