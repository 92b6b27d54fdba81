internal import GStreamerKit

/// Finds the links of a launch text that can never be made, from what the elements' pads are by their templates.
///
/// What only shows in a built pipeline (formats that pass through a queue, pads that come later) is left to the builder.
struct LaunchLinkChecker {
    let launch: LaunchDescription
    let catalog: any ElementCatalog
    /// How often the pads of one side of an element are taken, by its key.
    private var taken: [String: Int] = [:]
    /// Explicit pads that are taken.
    private var takenPads: Set<String> = []

    init(_ launch: LaunchDescription, catalog: any ElementCatalog) {
        self.launch = launch
        self.catalog = catalog
    }

    mutating func check(_ problems: inout Problems) {
        var filters: [Int: Caps] = [:]
        for (index, filter) in launch.filters.enumerated() {
            if let caps = catalog.caps(filter.caps) {
                filters[index] = caps
            } else {
                problems.add(problem(with: filter))
            }
        }
        for link in launch.links where link.filter.map({ filters[$0] != nil }) ?? true {
            check(link, filter: link.filter.flatMap { filters[$0] }, &problems)
        }
    }

    private func problem(with filter: LaunchFilter) -> Diagnostic {
        let text = CapsText(Array(launch.text.bytes[filter.range]))
        guard let problem = text.problem(canRead: { catalog.caps($0) != nil }) else {
            return Diagnostic(.error, at: filter.span, "these caps cannot be read")
        }
        let start = filter.range.lowerBound
        return Diagnostic(
            .error, at: launch.text.span(start + problem.range.lowerBound..<start + problem.range.upperBound),
            problem.message, help: problem.help, suggestion: problem.suggestion)
    }

    private mutating func check(_ link: LaunchLink, filter: Caps?, _ problems: inout Problems) {
        let counts = (link.source.pads.count, link.sink.pads.count)
        if counts.0 != counts.1, counts.0 > 1 || counts.1 > 1 {
            let help = "name as many pads on both sides: .src_0,src_1 ! .sink_0,sink_1"
            problems.error(
                at: link.sign,
                min(counts.0, counts.1) == 0
                    ? "only the first of these \(max(counts.0, counts.1)) pads would be linked"
                    : "\(Self.pads(counts.0)) cannot be linked to \(Self.pads(counts.1))", help: help)
            return
        }
        let source = side(link.source, .source, link, &problems)
        let sink = side(link.sink, .sink, link, &problems)
        if let source, let sink, source.key == sink.key {
            problems.error(at: link.sign, "\(source.title) cannot be linked to itself")
            return
        }
        if let problem = LaunchLinkMatch(source: source, sink: sink, filter: filter).problem(link, launch) {
            problems.add(problem)
            return
        }
        guard !link.linksAllPads else { return }
        for side in [source, sink].compactMap({ $0 }) where !take(side, link, &problems) { return }
    }

    /// What is known of one end of a link; nil where it is nothing, or wrong in itself.
    private func side(
        _ end: LaunchEnd, _ direction: PadTemplate.Direction, _ link: LaunchLink, _ problems: inout Problems
    ) -> LaunchLinkSide? {
        guard var side = element(of: end, link, &problems), catalog.exists(side.factory) else { return nil }
        guard let templates = catalog.padTemplates(of: side.factory), !templates.isEmpty else { return nil }
        side.templates = templates.filter { $0.direction == direction }
        guard !side.templates.isEmpty else {
            // A bin may show pads of what it holds.
            guard !catalog.isBin(side.factory) else { return nil }
            problems.error(
                at: link.sign,
                direction == .source
                    ? "\(side.title) has no source pad: nothing comes out of it"
                    : "\(side.title) has no sink pad: nothing goes into it",
                help: direction == .source ? "it ends a chain" : "it begins a chain")
            return nil
        }
        guard !end.pads.isEmpty else { return side }
        var matching: [PadTemplate] = []
        for pad in end.pads {
            let fitting = side.templates.filter { PadName.fits(pad.name, $0.name) }
            // Pads that come later need not be named as announced.
            if fitting.isEmpty, side.templates.contains(where: { $0.presence == .sometimes }) { return nil }
            guard !fitting.isEmpty else {
                let names = side.templates.map(\.name)
                problems.error(
                    at: pad.span,
                    "no \(direction == .source ? "source" : "sink") pad \(quoted(pad.name)) in \(side.title)",
                    help: "it has \(names.joined(separator: ", "))",
                    suggestion: Suggestion.nearest(
                        to: pad.name, among: names.filter { !$0.utf8.contains(UInt8(ascii: "%")) }))
                return nil
            }
            matching += fitting
        }
        side.pads = end.pads
        side.templates = matching
        return side
    }

    private func element(of end: LaunchEnd, _ link: LaunchLink, _ problems: inout Problems) -> LaunchLinkSide? {
        switch end.node {
        case .element(let index): return side(of: index)
        case .reference(let number):
            let reference = launch.references[number]
            guard let index = launch.elements.firstIndex(where: { $0.name == reference.element }) else { return nil }
            guard !launch.elements[index].isBin else {
                problems.error(
                    at: reference.span, "the bin \(quoted(reference.element)) has no pad to link",
                    help: "name an element in it, or link behind its \")\"")
                return nil
            }
            return side(of: index)
        case .uri(let number):
            let uri = launch.uris[number]
            guard let factory = catalog.factory(forURI: uri.text, isSink: uri.isSink) else { return nil }
            return LaunchLinkSide(factory: factory, title: quoted(uri.text), key: "uri \(number)")
        }
    }

    private func side(of index: Int) -> LaunchLinkSide {
        let element = launch.elements[index]
        var side = LaunchLinkSide(
            factory: element.factory, title: quoted(element.factory), key: "element \(index)")
        if let name = element.name { side.title = "\(quoted(name)) (\(element.factory))" }
        if element.factory == "capsfilter", let caps = element.properties.last(where: { $0.key == "caps" }) {
            side.filter = catalog.caps(caps.value)
        }
        return side
    }

    /// Counts a link's pads; says so where an element has no more of them.
    private mutating func take(_ side: LaunchLinkSide, _ link: LaunchLink, _ problems: inout Problems) -> Bool {
        let direction = side.templates.first?.direction ?? .source
        let key = "\(side.key) \(direction)"
        for pad in side.pads where !takenPads.insert("\(key) \(pad.name)").inserted {
            problems.error(at: pad.span, "pad \(quoted(pad.name)) of \(side.title) is linked already")
            return false
        }
        let all = (catalog.padTemplates(of: side.factory) ?? []).filter { $0.direction == direction }
        guard all.allSatisfy({ $0.presence == .always }), !catalog.isBin(side.factory) else { return true }
        taken[key, default: 0] += 1
        guard taken[key, default: 0] > all.count else { return true }
        let pad = direction == .source ? "source pad" : "sink pad"
        problems.error(
            at: link.sign,
            all.count == 1
                ? "the \(pad) of \(side.title) is linked already"
                : "all \(all.count) \(pad)s of \(side.title) are linked already",
            help: direction == .source
                ? "a tee gives to several: ! tee name=t ! queue ! ... t. ! queue ! ..."
                : "to take from several it needs a mixer, a muxer or a funnel before it")
        return false
    }

    private static func pads(_ count: Int) -> String { count == 1 ? "1 pad" : "\(count) pads" }
}
