package import GStreamerKit

/// Which audio outputs are there, and whether the one that is needed is: the decisions, without a monitor or a host.
///
/// Everything is a level: what is told twice, or before the first list, ends in the right place. A monitor that is begun anew
/// brings a new list, and what is different from the old one is told.
package struct OutputPresence: Sendable {
    package enum Event: Sendable, Equatable {
        /// The monitor's list from its start.
        case begun([DeviceIdentity])
        case added(DeviceIdentity)
        case removed(DeviceIdentity)
        case changed(from: DeviceIdentity, to: DeviceIdentity)
        /// There is nobody who could tell which outputs come and go.
        case unlisted
    }

    package enum Action: Sendable, Equatable {
        case added(DeviceIdentity)
        case removed(DeviceIdentity)
        case lost
        /// The output that is there again; only after `lost`.
        case back(DeviceIdentity)
        /// Whether there are any is not known, so none is lost; said once.
        case unlisted
    }

    /// What a sound server shows in place of an output where it has none.
    private static let dummies: Set<String> = ["auto_null"]

    /// The one that must be there; nil: any.
    package private(set) var device: String?
    /// In the order in which they came.
    package private(set) var outputs: [DeviceIdentity] = []
    package private(set) var isLost = false
    /// Whether there was a list.
    package private(set) var isKnown = false
    /// Whether nobody could say.
    package private(set) var isUnlisted = false
    /// The list of the monitor that runs is yet to come.
    private(set) var isWaiting = true
    /// What came before it.
    private var early: [Event] = []

    package init(device: String?) { self.device = device }

    /// Another monitor begins.
    package mutating func renew() {
        isWaiting = true
        early = []
    }

    package mutating func handle(_ event: Event) -> [Action] {
        if event == .unlisted {
            isWaiting = false
            early = []
            // The sound server that had them is gone, and they with it.
            guard !isKnown else { return replace(with: []) + decide() }
            defer { isUnlisted = true }
            return isUnlisted ? [] : [.unlisted]
        }
        if case .begun(let list) = event {
            (isWaiting, isUnlisted) = (false, false)
            var actions = replace(with: list)
            isKnown = true
            // Some of it is in the list already, and some of it is newer.
            for event in early { actions += apply(event) }
            early = []
            return actions + decide()
        }
        guard !isWaiting else {
            early.append(event)
            return []
        }
        return apply(event) + decide()
    }

    /// From now on this one is needed.
    package mutating func need(_ device: String?) -> [Action] {
        self.device = device
        return decide()
    }

    private mutating func replace(with list: [DeviceIdentity]) -> [Action] {
        var actions: [Action] = []
        for output in outputs where !list.contains(output) { actions += remove(output) }
        for output in list { actions += add(output) }
        return isKnown ? actions : []
    }

    private mutating func apply(_ event: Event) -> [Action] {
        switch event {
        case .begun, .unlisted: []
        case .added(let output): add(output)
        case .removed(let output): remove(output)
        case .changed(let from, let to): from == to ? [] : remove(from) + add(to)
        }
    }

    private mutating func add(_ output: DeviceIdentity) -> [Action] {
        guard !outputs.contains(output), !Self.dummies.contains(output.node ?? "") else { return [] }
        outputs.append(output)
        return [.added(output)]
    }

    private mutating func remove(_ output: DeviceIdentity) -> [Action] {
        guard let index = outputs.firstIndex(of: output) else { return [] }
        outputs.remove(at: index)
        return [.removed(output)]
    }

    private mutating func decide() -> [Action] {
        guard isKnown else { return [] }
        let needed = outputs.first { device == nil || $0.name == device || $0.node == device }
        guard isLost != (needed == nil) else { return [] }
        isLost = needed == nil
        return [needed.map { .back($0) } ?? .lost]
    }
}
