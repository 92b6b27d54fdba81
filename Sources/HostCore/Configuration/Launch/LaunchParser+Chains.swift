/// How elements, links and bins make chains: GStreamer's grammar.
extension LaunchParser {
    mutating func open(_ range: Range<Int>, factory: Range<Int>?) {
        var level = LaunchLevel(span: range)
        if case .link(let link, let pads) = place { level.link = (link, pads) } else { endChain() }
        level.isFirst = levels[levels.count - 1].isEmpty
        levels[levels.count - 1].isEmpty = false
        level.bin = description.elements.count
        description.elements.append(
            LaunchElement(
                factory: factory.map { text.string($0) } ?? "bin", factorySpan: text.span(factory ?? range), name: nil,
                nameSpan: nil, properties: [], isBin: true, bin: levels[levels.count - 1].bin,
                nameOffset: range.upperBound))
        binProperties = level.bin
        levels.append(level)
        place = .start
    }

    mutating func close(_ range: Range<Int>) {
        endChain()
        guard levels.count > 1, let level = levels.popLast() else {
            error(range, "\")\" closes nothing", help: "a bin begins with \"(\"")
            return
        }
        if level.isEmpty {
            error(level.span.lowerBound..<range.upperBound, "the bin is empty", help: "put an element into it")
        }
        if level.isFirst { levels[levels.count - 1].first = level.first }
        if let (link, pads) = level.link {
            if level.first == nil, !level.isEmpty {
                error(
                    link.range.lowerBound..<link.range.lowerBound + 1, "nothing in the bin can take this link",
                    help: "the first chain of the bin must begin with an element")
            }
            finish(link, at: level.first, pads: pads)
        }
        place = .element(owner: nil, end: level.last)
    }

    mutating func link(_ range: Range<Int>, _ caps: Range<Int>?) {
        let sign = range.lowerBound..<range.lowerBound + 1
        var source: LaunchEnd?
        switch place {
        case .element(_, let end?), .reference(_, let end), .uri(let end): source = end
        case .element(_, nil):
            if !problems.hasErrors {
                error(
                    sign, "nothing in the bin leads to this link",
                    help: "the last chain of the bin must end with an element")
            }
        case .start:
            error(
                sign, "nothing stands before this link",
                help: "a link joins two elements: videotestsrc ! fakesink"
                    + (description.references.isEmpty ? "" : "; a reference ends its chain"))
        case .link(let last, _):
            error(
                sign, "no element between two links",
                help: last.filter != nil || last.range.count > 1
                    ? "a second filter in a row needs an element: ! capsfilter caps=... !" : nil)
        }
        var filter: Int?
        if let caps {
            filter = description.filters.count
            description.filters.append(LaunchFilter(caps: text.string(caps), span: text.span(caps), range: caps))
        }
        let linksAll = text.bytes[range.lowerBound] == ":" || text.bytes[range.upperBound - 1] == ":"
        place = .link(
            LaunchPendingLink(range: range, source: source, filter: filter, linksAllPads: linksAll), pads: [])
    }

    /// An element, or a bin, comes: behind a link it goes on the chain, anywhere else it begins one.
    mutating func beginElementary(first: LaunchEnd) {
        if case .link(let link, let pads) = place {
            finish(link, at: first, pads: pads)
        } else {
            endChain()
            if levels[levels.count - 1].isEmpty { levels[levels.count - 1].first = first }
        }
        levels[levels.count - 1].isEmpty = false
    }

    /// A reference or URI comes: behind a link it ends the chain, anywhere else it begins one.
    /// - Returns: whether it ends one.
    mutating func endsChain(_ end: LaunchEnd) -> Bool {
        defer { levels[levels.count - 1].isEmpty = false }
        guard case .link(let link, let pads) = place else {
            endChain()
            return false
        }
        if let pad = pads.first { unexpectedPad(pad) }
        finish(link, at: end, pads: [])
        levels[levels.count - 1].last = nil
        place = .start
        return true
    }

    mutating func endChain() {
        switch place {
        case .link(let link, _):
            let end = max(link.range.lowerBound, link.range.upperBound - 1)
            error(
                end..<link.range.upperBound, "nothing follows this link",
                help: "a link joins two elements: videotestsrc ! fakesink")
        case .element(_, let end):
            if let pad = end?.pads.first { unexpectedPad(pad) }
            levels[levels.count - 1].last = end
        case .reference(let range, _):
            error(
                range, "nothing is linked to \(quoted(text.string(range)))",
                help: "a reference needs a link: name. ! element, or element ! name.")
        case .uri(let end): levels[levels.count - 1].last = end
        case .start: break
        }
        place = .start
    }

    /// `! video/x-raw` at the end of a chain, or without a link before it.
    mutating func misplacedCaps(_ range: Range<Int>) {
        var end = range.upperBound
        while end < text.bytes.count, text.bytes[end] != "!" { end += 1 }
        while end > range.upperBound, text.bytes[end - 1].isASCIISpace { end -= 1 }
        lexer.skip(to: end)
        let caps = text.string(range.lowerBound..<end)
        error(
            range.lowerBound..<end, "caps must stand between two links",
            help: end - range.lowerBound <= 60 ? "write: ! \(caps) ! element" : nil)
        if case .link = place { place = .element(owner: nil, end: nil) }
        levels[levels.count - 1].isEmpty = false
    }

    private mutating func finish(_ link: LaunchPendingLink, at sink: LaunchEnd?, pads: [LaunchEnd.Pad]) {
        guard let source = link.source, var sink else { return }
        sink.pads = pads + sink.pads
        description.links.append(
            LaunchLink(
                source: source, sink: sink,
                sign: text.span(link.range.lowerBound..<link.range.lowerBound + 1),
                lastSign: text.span(link.range.upperBound - 1..<link.range.upperBound), filter: link.filter,
                linksAllPads: link.linksAllPads, bin: levels.last?.bin))
    }

    private mutating func unexpectedPad(_ pad: LaunchEnd.Pad) {
        problems.error(
            at: pad.span, "nothing is linked to the pad \(quoted(pad.name))", help: "a link must follow: .src ! element"
        )
    }
}
