internal import GStreamerKit

/// Whether two sides of a link have a format in common, with a filter between them. A side that is not known takes all.
struct LaunchLinkMatch {
    let source: LaunchLinkSide?
    let sink: LaunchLinkSide?
    let filter: Caps?

    /// Shows the formats that do not meet: at the filter, or its field, where that is what does not fit.
    func problem(_ link: LaunchLink, _ launch: LaunchDescription) -> Diagnostic? {
        if let filter, let index = link.filter {
            for (side, verb, sign) in [(source, "give", nil), (sink, "take", link.lastSign)] {
                guard let side, !Self.haveCommon(side.formats, [filter]) else { continue }
                return problem(side, verb, launch.filters[index], sign, launch)
            }
        }
        guard let source, let sink, !isPossible(source, sink) else { return nil }
        return Diagnostic(
            .error, at: link.sign, "\(source.title) and \(sink.title) have no format in common",
            help: "\(source.title) gives \(source.formatText); \(sink.title) takes \(sink.formatText)"
                + (filter.map { "; the filter lets \($0) through" } ?? ""))
    }

    private func isPossible(_ source: LaunchLinkSide, _ sink: LaunchLinkSide) -> Bool {
        source.formats.contains { format in
            Self.haveCommon([filter.map { format.intersection(with: $0) } ?? format], sink.formats)
        }
    }

    private func problem(
        _ side: LaunchLinkSide, _ verb: String, _ filter: LaunchFilter, _ sign: SourceSpan?,
        _ launch: LaunchDescription
    ) -> Diagnostic {
        let text = CapsText(Array(launch.text.bytes[filter.range]))
        func span(_ range: Range<Int>) -> SourceSpan {
            launch.text.span(filter.range.lowerBound + range.lowerBound..<filter.range.lowerBound + range.upperBound)
        }
        // One structure: the field that alone rules everything out.
        if text.structures.count == 1, let structure = text.structures.first,
            let head = Caps(text.string(structure.head)), Self.haveCommon(side.formats, [head])
        {
            for field in structure.fields {
                guard let alone = Caps(text.alone(field, of: structure)), !Self.haveCommon(side.formats, [alone]) else {
                    continue
                }
                let name = alone.fieldNames.first ?? ""
                let values = side.formats.compactMap { $0.intersection(with: head).valueText(of: name) }
                return Diagnostic(
                    .error, at: span(field), "\(side.title) cannot \(verb) \(text.string(field))",
                    help: values.first.map { "it \(verb)s \(name)=\($0)" })
            }
        }
        return Diagnostic(
            .error, at: sign ?? filter.span, "\(side.title) cannot \(verb) \(quoted(filter.caps))",
            help: "it \(verb)s \(side.formatText)")
    }

    private static func haveCommon(_ left: [Caps], _ right: [Caps]) -> Bool {
        left.contains { one in right.contains { !one.intersection(with: $0).isEmpty } }
    }
}
