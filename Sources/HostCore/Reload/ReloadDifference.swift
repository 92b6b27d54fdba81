/// Names of what differs between two lists, each in the order of the file it comes from.
struct ReloadDifference: Sendable, Equatable {
    /// In the order of the old file.
    var removed: [String] = []
    /// From here on in the order of the new file.
    var added: [String] = []
    /// Must be taken down and made anew.
    var changed: [String] = []
    /// Goes on as it is, under new rules.
    var adjusted: [String] = []
    var unchanged: [String] = []

    /// How one entry of the new list relates to the old one of its name.
    enum Relation {
        case changed, adjusted, unchanged
    }

    init<Item>(
        from old: [Item], to new: [Item], name: (Item) -> String, relation: (_ old: Item, _ new: Item) -> Relation
    ) {
        var before: [String: Item] = [:]
        for item in old { before[name(item)] = item }
        for item in new {
            let key = name(item)
            guard let earlier = before.removeValue(forKey: key) else {
                added.append(key)
                continue
            }
            switch relation(earlier, item) {
            case .changed: changed.append(key)
            case .adjusted: adjusted.append(key)
            case .unchanged: unchanged.append(key)
            }
        }
        removed = old.map(name).filter { before[$0] != nil }
    }

    /// Whether what has this name is in both, and goes on.
    func stays(_ name: String) -> Bool { adjusted.contains(name) || unchanged.contains(name) }

    var isEmpty: Bool { removed.isEmpty && added.isEmpty && changed.isEmpty && adjusted.isEmpty }
}
