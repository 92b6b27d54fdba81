import Locking

/// The metrics that one instance has declared.
///
/// Lock order: `entries` is a leaf. Changing a metric takes no lock: it goes to the cell.
package final class PluginMetrics: Sendable {
    /// Enough for a plugin, and few enough for a scrape every second.
    static let most = 64

    /// Why a metric was not taken.
    package struct Refusal: Error, Sendable, Equatable {
        package var reason: String
        /// It is the number of them, not this one.
        package var isLimit = false

        init(_ reason: String, isLimit: Bool = false) {
            self.reason = reason
            self.isLimit = isLimit
        }
    }

    /// A metric as it stands now.
    package struct Reading: Sendable, Equatable {
        package var name: String
        var help: String
        var kind: MetricKind
        var labels: [MetricLabel]
        package var value: Double

        /// `drops_total{why="late"}`.
        package var key: String { name + MetricText.labels(labels) }
    }

    // The cell is atomic, and never freed.
    private struct Entry: @unchecked Sendable {
        let name: String
        let declaration: MetricDeclaration
        let cell: UnsafePointer<MetricCell>
    }

    private let entries = Locked<[Entry]>([])

    package init() {}

    /// The cell of a new metric, or of the one that was declared like this before.
    package func declare(_ declaration: MetricDeclaration) throws(Refusal) -> OpaquePointer {
        if let fault = declaration.fault { throw Refusal(fault) }
        let name = declaration.fullName
        let entry = try entries.withLock { entries throws(Refusal) in
            let family = entries.filter { $0.name == name }
            if let other = family.first, other.declaration.help != declaration.help {
                throw Refusal("it is declared already, with another help: \"\(other.declaration.help)\"")
            }
            if let other = family.first, other.declaration.kind != declaration.kind {
                throw Refusal("a metric of the other kind is called \(name) already")
            }
            if let known = family.first(where: { $0.declaration.hasLabels(of: declaration) }) { return known }
            guard entries.count < Self.most else {
                throw Refusal("a plugin may have \(Self.most) metrics, and has them", isLimit: true)
            }
            let made = Entry(name: name, declaration: declaration, cell: MetricCell.make(declaration.kind))
            entries.append(made)
            return made
        }
        return OpaquePointer(UnsafeMutableRawPointer(mutating: entry.cell))
    }

    /// There is nothing to show any more. Cells stay: a change that comes late is harmless.
    func forget() { entries.withLock { $0 = [] } }

    /// In the order they were declared.
    package var readings: [Reading] {
        entries.withLock { $0 }.map { entry in
            Reading(
                name: entry.name, help: entry.declaration.help, kind: entry.declaration.kind,
                labels: entry.declaration.labels, value: entry.cell.pointee.value)
        }
    }

    /// For a status; what is no number in JSON is null.
    var value: Value {
        .map(
            readings.map { reading in
                let number = reading.value
                let value: Value =
                    if let whole = Int64(exactly: number) { .int(whole) } else if number.isFinite {
                        .double(number)
                    } else { .null }
                return .init(reading.key, value)
            })
    }
}
