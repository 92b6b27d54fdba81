@testable import HostCore

/// Holds our reading of one launch text against what GStreamer builds from it.
struct LaunchAgreement {
    /// Where they differ; empty where they agree.
    var differences: [String] = []
    /// Our errors, where we refuse what GStreamer builds.
    var stricter: [String] = []
    /// GStreamer's words, where it refuses what we take.
    var laxer: String?
    var isBuilt = false

    init(_ text: String, _ referee: LaunchReferee) throws {
        let source = LaunchParserTests.text(text)
        var found: [Diagnostic] = []
        let ours = LaunchParser.parse(source, diagnostics: &found)
        found += LaunchChecker.check(ours, catalog: RegistryCatalog())
        let errors = found.filter { $0.severity == .error }.map(\.message)

        let verdict = try referee.verdict(on: text)
        guard errors.isEmpty else {
            if verdict == .built { stricter = errors }
            return
        }
        guard verdict != .crashed else {
            differences.append("GStreamer's parser crashes on it")
            return
        }
        let (launch, elements) = ours.named()
        if case .refused(let words) = try referee.verdict(on: launch) {
            laxer = words
            return
        }
        let named = try ReferencePipeline.build(launch) { built in
            compareProperties(ours, elements, built)
        }
        isBuilt = true
        compareElements(ours, elements, named)
        compareLinks(ours, elements, named)
        // A reference to a name that only the host gives is refused as written.
        if verdict == .built {
            let left = Graph(try ReferencePipeline.build(text), keeping: [])
            let right = Graph(named, keeping: [])
            if left != right { differences.append("named it becomes another pipeline: \(left) / \(right)") }
        } else if !ours.references.contains(where: { reference in
            elements.contains { $0.name == reference.element && !$0.isExplicit }
        }) {
            differences.append("refused as written only: \(verdict)")
        }
    }

    private mutating func compareElements(
        _ ours: LaunchDescription, _ promised: [NamedElement], _ built: ReferencePipeline
    ) {
        var left = built.elements
        for element in promised {
            guard let index = left.firstIndex(where: { $0.name == element.name && $0.factory == element.factory })
            else {
                differences.append("no \(element.factory) named \(element.name)")
                continue
            }
            left.remove(at: index)
        }
        for element in ours.elements {
            guard let bin = element.bin, let name = promisedName(of: element, ours, promised),
                let binName = promisedName(of: ours.elements[bin], ours, promised)
            else { continue }
            let parent = built.elements.first { $0.name == name }?.parent.map { built.elements[$0].name }
            if parent != binName { differences.append("\(name) is in \(parent ?? "no bin"), not in \(binName)") }
        }
        let extra = left.filter { $0.factory != "capsfilter" }
        if extra.count != ours.uris.count { differences.append("not ours: \(extra.map(\.name))") }
        let unnamed = ours.filters.count - promised.count { one in ours.filters.contains { $0.span == one.span } }
        if left.count - extra.count > 0, unnamed == 0 { differences.append("a filter without its name") }
    }

    /// Names are in the order of the text, as the elements are.
    private func promisedName(
        of element: LaunchElement, _ ours: LaunchDescription, _ promised: [NamedElement]
    ) -> String? { promised.first { $0.span == element.factorySpan }?.name }

    private mutating func compareProperties(
        _ ours: LaunchDescription, _ promised: [NamedElement], _ built: ReferencePipeline
    ) {
        for element in ours.elements {
            guard let name = promisedName(of: element, ours, promised),
                let index = built.elements.firstIndex(where: { $0.name == name })
            else { continue }
            var last: [String: String] = [:]
            for property in element.properties { last[property.key] = property.value }
            for (key, value) in last where key != "name" && built.isReadable(key, index) {
                let expected = built.normalised(value, as: key, index)
                let actual = built.text(of: key, index)
                // An element or a path may be kept in another form.
                if let expected, let actual, actual != expected {
                    differences.append("\(name).\(key) is \(actual), not \(expected)")
                }
            }
        }
    }

    /// Our links must be the built ones, as far as links are made when a text is built.
    private mutating func compareLinks(
        _ ours: LaunchDescription, _ promised: [NamedElement], _ built: ReferencePipeline
    ) {
        let uris = built.elements.indices.filter { index in
            built.elements[index].factory != "capsfilter"
                && !promised.contains { $0.name == built.elements[index].name }
        }
        func node(_ end: LaunchEnd) -> Int? {
            switch end.node {
            case .element(let index):
                promisedName(of: ours.elements[index], ours, promised).flatMap { name in
                    built.elements.firstIndex { $0.name == name }
                }
            case .reference(let index): built.elements.firstIndex { $0.name == ours.references[index].element }
            case .uri(let index): uris.indices.contains(index) ? uris[index] : nil
            }
        }
        var expected: [Edge] = []
        var isOpen = false
        for link in ours.links {
            guard let source = node(link.source), let sink = node(link.sink) else {
                differences.append("a link without an end")
                continue
            }
            let kind = built.elements[source].factory
            if link.linksAllPads || ["decodebin", "uridecodebin", "parsebin", "dvddemux"].contains(kind)
                || kind.hasSuffix("demux")
            {
                isOpen = true
                continue
            }
            let count = min(
                max(1, link.source.pads.count), max(1, link.sink.pads.count))
            let filter = link.filter.flatMap { index in
                promised.first { $0.span == ours.filters[index].span }.flatMap { one in
                    built.elements.firstIndex { $0.name == one.name }
                }
            }
            for _ in 0..<count {
                if let filter {
                    expected += [Edge(built, source, filter), Edge(built, filter, sink)]
                } else {
                    expected.append(Edge(built, source, sink))
                }
            }
        }
        let graph = Graph(built, keeping: Set(promised.map(\.name)))
        // A filter that GStreamer made inside a bin ends at its ghost pad.
        var left = graph.links.filter { $0.sink >= 0 }.map { Edge(source: $0.source, sink: $0.sink) }
        for edge in expected {
            guard let index = left.firstIndex(of: edge) else {
                differences.append("no link \(edge.text(built))")
                continue
            }
            left.remove(at: index)
        }
        if !isOpen, !left.isEmpty { differences.append("not ours: \(left.map { $0.text(built) })") }
    }

    /// A link between neighbours: where it crosses bins, the bins at the level that holds both.
    private struct Edge: Equatable {
        var source: Int
        var sink: Int

        init(source: Int, sink: Int) {
            self.source = source
            self.sink = sink
        }

        init(_ built: ReferencePipeline, _ source: Int, _ sink: Int) {
            func path(_ index: Int) -> [Int] {
                built.elements[index].parent.map { path($0) + [index] } ?? [index]
            }
            let left = path(source)
            let right = path(sink)
            let level = zip(left, right).prefix { $0.0 == $0.1 }.count
            self.source = left[min(level, left.count - 1)]
            self.sink = right[min(level, right.count - 1)]
        }

        func text(_ built: ReferencePipeline) -> String {
            "\(built.elements[source].name) -> \(sink < 0 ? "nothing" : built.elements[sink].name)"
        }
    }

    /// A pipeline without the capsfilters that have no name of ours: they become the caps of a link.
    private struct Graph: Equatable, CustomStringConvertible {
        struct Link: Hashable {
            var source: Int
            var sourcePad: String
            var sink: Int
            var sinkPad: String
            var caps: [String]
        }

        var nodes: [String] = []
        var links: [Link] = []

        init(_ built: ReferencePipeline, keeping names: Set<String>) {
            var index: [Int: Int] = [:]
            var bins: [Int: Int] = [:]
            for (number, element) in built.elements.enumerated() where !isFilter(element, names) {
                index[number] = names.isEmpty ? nodes.count : number
                let bin = element.parent.flatMap { index[$0] }
                bins[nodes.count] = bin
                nodes.append((bin.map { "\($0)/" } ?? "") + element.factory)
            }
            for link in built.links {
                guard let source = index[link.source] else { continue }
                var sink = link.sink
                var pad = link.sinkPad
                var caps: [String] = []
                while index[sink] == nil {
                    caps.append(built.caps[sink] ?? "")
                    guard let next = built.links.first(where: { $0.source == sink }) else { break }
                    sink = next.sink
                    pad = next.sinkPad
                }
                // Request pads and ghosts are numbered by the process.
                links.append(
                    Link(
                        source: source, sourcePad: stem(link.sourcePad), sink: index[sink] ?? -1, sinkPad: stem(pad),
                        caps: caps))
            }
            // GStreamer puts the filter behind a bin that ends with a URI into that bin; one with a name is behind it.
            for inner in links where inner.sink < 0 && !inner.caps.isEmpty && nodes[inner.source].hasSuffix("/filesrc")
            {
                guard let bin = bins[inner.source], let out = links.firstIndex(where: { $0.source == bin }) else {
                    continue
                }
                links[out].caps.insert(contentsOf: inner.caps, at: 0)
                links.removeAll { $0 == inner }
            }
            links.sort { "\($0)" < "\($1)" }
            func isFilter(_ element: ReferencePipeline.Built, _ names: Set<String>) -> Bool {
                element.factory == "capsfilter" && !names.contains(element.name)
            }
            func stem(_ pad: String) -> String {
                pad.hasPrefix("ghost") || pad.hasPrefix("proxypad") || pad.hasPrefix("funnelpad")
                    ? pad.filter { !$0.isNumber } : pad
            }
        }

        var description: String {
            "\(nodes) "
                + links.map {
                    "\($0.source).\($0.sourcePad)->\($0.sink).\($0.sinkPad)\($0.caps.isEmpty ? "" : "{\($0.caps)}")"
                }
                .joined(separator: " ")
        }
    }
}
