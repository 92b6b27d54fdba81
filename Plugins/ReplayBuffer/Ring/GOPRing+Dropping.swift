/// Frames that are not kept, and GOPs that are taken out again.
extension GOPRing {
    /// Takes the newest GOP out again, as far as no save reads it. What a save holds stays as a shorter GOP.
    mutating func dropCurrent(_ reason: Skip, isKey: Bool) -> Outcome {
        guard !isKey else { return lose(reason) }
        skip = reason
        if keyRequest == .none { keyRequest = .wanted }
        let end = max(currentKey, min(head, pins.ceiling))
        let removed = Int(head - end)
        if end < head {
            writePosition = self[end].position
            cuts += 1
            lastCut = end
        }
        head = end
        segments.remove(from: end)
        if end > currentKey {
            index[slot(currentKey)].link = UInt32(truncatingIfNeeded: end - currentKey)
        } else {
            gops -= 1
            if gops == 0 {
                firstKey = head
                trimLead()
            } else {
                currentKey = keyOf(head - 1)
            }
        }
        if gops > 0 { newestEnd = endOfNewestGOP }
        return dropped(reason, first: true, also: removed)
    }

    /// A frame does not fit, and nothing is taken out for it.
    mutating func lose(_ reason: Skip) -> Outcome {
        skip = reason
        if keyRequest == .none { keyRequest = .wanted }
        return dropped(reason, first: true)
    }

    var endOfNewestGOP: Int64 {
        var end = self[currentKey].pts
        for sequence in currentKey..<head where self[sequence].track == 0 {
            end = max(end, self[sequence].pts &+ length(of: self[sequence]))
        }
        return end
    }

    mutating func dropped(_ reason: Skip, first: Bool = false, also removed: Int = 0) -> Outcome {
        switch reason {
        case .needsKey:
            drops.withoutKey += 1
            if keyRequest == .none { keyRequest = .wanted }
            return .needsKey
        case .oversized:
            drops.oversizedFrames += 1 + removed
            drops.oversizedGOPs += first ? 1 : 0
            return .oversized(first: first)
        case .held:
            drops.heldFrames += 1 + removed
            drops.heldGOPs += first ? 1 : 0
            return .held(first: first)
        }
    }
}
