/// What several runs gave.
struct Series: Encodable {
    let values: [Double]

    init(_ values: [Double]) {
        precondition(!values.isEmpty)
        self.values = values
    }

    private var sorted: [Double] { values.sorted() }
    var minimum: Double { values.min() ?? 0 }
    var maximum: Double { values.max() ?? 0 }
    var median: Double {
        let sorted = sorted
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The value that this share of them does not exceed.
    func quantile(_ share: Double) -> Double {
        sorted[max(0, Int((share * Double(values.count)).rounded(.up)) - 1)]
    }

    /// Run by run: what happened at about the same time is compared with each other.
    static func - (left: Series, right: Series) -> Series {
        Series(zip(left.values, right.values).map { $0 - $1 })
    }
}
