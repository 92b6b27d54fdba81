extension LaunchDescription {
    /// The launch text with a name for every element, and those names, in the order of the text.
    ///
    /// Unnamed elements become `<factory><n>`, counted from 0 for each factory in this text alone, so they are the same
    /// on every rebuild; names the user gave are passed over. A filter becomes the `capsfilter` element that GStreamer
    /// would make for it, with a name. Two kinds of elements keep the names that GStreamer counts through the process:
    /// those of URIs, and the filters of links that make more than one, or make it elsewhere (`:`, lists of pads, links
    /// into bins).
    public func named() -> (launch: String, elements: [NamedElement]) {
        let parts = namelessParts()
        let keepsFilters = parts.count { $0.isFilter } < filters.count
        var taken = Set(elements.compactMap(\.name))
        var counters: [String: Int] = [:]
        var launch: [UInt8] = []
        var copied = 0
        var result: [NamedElement] = []
        for part in parts {
            if case .element(let index) = part.kind, let name = elements[index].name {
                let element = elements[index]
                result.append(
                    NamedElement(name: name, factory: element.factory, span: element.factorySpan, isExplicit: true))
                continue
            }
            let factory = part.factory
            // Out of the way of those that GStreamer names.
            let stem = factory == "capsfilter" && keepsFilters ? "capsfilter_" : factory
            var number = counters[factory] ?? 0
            while taken.contains("\(stem)\(number)") { number += 1 }
            let name = "\(stem)\(number)"
            counters[factory] = number + 1
            taken.insert(name)
            result.append(NamedElement(name: name, factory: factory, span: part.span, isExplicit: false))

            launch += text.bytes[copied..<part.range.lowerBound]
            copied = part.range.upperBound
            let space = [UInt8(ascii: " ")]
            switch part.kind {
            case .element: launch += Array(" name=\(name)".utf8)
            case .filter:
                if launch.last?.isASCIISpace == false { launch += space }
                launch += Array("capsfilter name=\(name) caps=".utf8) + LaunchValue.quote(text.bytes[part.range])
            }
            // A value runs to the next space: without one it would take in the `!` or `)` behind it.
            if copied < text.bytes.count, !text.bytes[copied].isASCIISpace { launch += space }
        }
        launch += text.bytes[copied...]
        return (String(decoding: launch, as: UTF8.self), result)
    }

    /// Something that gets a name, and the bytes of the text that its name, or the whole of it, is put in for.
    private struct Part {
        enum Kind {
            case element(Int)
            case filter
        }

        var kind: Kind
        var factory: String
        var span: SourceSpan
        var range: Range<Int>

        var isFilter: Bool {
            if case .filter = kind { true } else { false }
        }
    }

    private func namelessParts() -> [Part] {
        var parts = elements.enumerated().map { index, element in
            Part(
                kind: .element(index), factory: element.factory, span: element.factorySpan,
                range: element.nameOffset..<element.nameOffset)
        }
        for link in links {
            guard let index = link.filter, canBeNamed(link) else { continue }
            parts.append(
                Part(kind: .filter, factory: "capsfilter", span: filters[index].span, range: filters[index].range))
        }
        return parts.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Whether an element in the place of the filter means the same.
    private func canBeNamed(_ link: LaunchLink) -> Bool {
        !link.linksAllPads && link.source.pads.count <= 1 && link.sink.pads.count <= 1
            && isBeside(link, link.source) && isBeside(link, link.sink)
    }

    /// Whether what a link begins or ends at is surely in the bin that the link is written in.
    private func isBeside(_ link: LaunchLink, _ end: LaunchEnd) -> Bool {
        switch end.node {
        case .element(let index): elements[index].bin == link.bin
        case .reference(let index): elements.contains { $0.name == references[index].element && $0.bin == link.bin }
        case .uri: true
        }
    }
}
