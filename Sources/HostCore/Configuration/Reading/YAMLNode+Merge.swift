/// Two files that say something about the same things.
extension YAMLNode {
    /// The levels of a file that are merged key by key: the file, a section of it, one pipeline, plugin or variable.
    /// What a key of those holds is replaced as a whole, but for the list of rules.
    static let mergedLevels = 3

    /// This map with the keys of `other`, which wins. Keys stay where they are first, new ones follow.
    func merged(with other: YAMLNode, levels: Int = YAMLNode.mergedLevels) -> YAMLNode {
        guard levels > 0, let mine = entries, let theirs = other.entries else { return other.isNull ? self : other }
        var result = mine
        for entry in theirs {
            guard let index = result.firstIndex(where: { $0.key == entry.key }) else {
                result.append(entry)
                continue
            }
            // Nothing written is no wish: it does not take away what another file says.
            if entry.value.isNull { continue }
            // Rules stand side by side: each file has its own.
            if levels == Self.mergedLevels, entry.key == "rules", let mine = result[index].value.items,
                let theirs = entry.value.items
            {
                result[index].value.content = .list(mine + theirs)
                continue
            }
            result[index] = YAMLEntry(
                key: entry.key, keySpan: entry.keySpan,
                value: result[index].value.merged(with: entry.value, levels: levels - 1))
        }
        return YAMLNode(.map(result), span: other.span)
    }
}
