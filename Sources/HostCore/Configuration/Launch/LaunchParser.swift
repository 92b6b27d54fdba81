/// Reads gst-launch syntax: the same words and grammar as GStreamer 1.22's `gst_parse_launch`, with positions.
///
/// It is stricter where GStreamer builds something the user cannot have meant: a quote that is never closed, a link sign
/// taken for a value (`location= ! fakesink`), a name given twice. After a mistake it goes on with the next word, so one
/// reading finds all of them.
///
/// ```
/// chains    v4l2src ! videoconvert ! fakesink     a link is `!`, or `:` for all pads that fit
/// filters   ! video/x-raw,format=I420 !           no quotes
/// pads      tee name=t .src_0 ! .sink fakesink    t. ! queue      t.src_1 ! queue
/// bins      ( name=b identity ! queue )           bin.( ... )
/// presets   x264enc @preset=Fast
/// URIs      file:///tmp/a.mp4 ! decodebin
/// ```
public struct LaunchParser {
    var lexer: LaunchLexer
    var problems = Problems()
    var place = LaunchPlace.start
    var levels = [LaunchLevel()]
    var description: LaunchDescription
    /// Directly behind the opening of a bin its properties may stand.
    var binProperties: Int?
    /// Where `, pad` would go.
    private var padList = PadList.none

    private enum PadList {
        case none
        case place
        case lastSink
    }

    /// Takes `text` apart; what is wrong with it is added to `diagnostics`.
    /// - Thread: any.
    public static func parse(_ text: SourceText, diagnostics: inout [Diagnostic]) -> LaunchDescription {
        var parser = LaunchParser(text)
        parser.run()
        diagnostics += parser.problems.diagnostics
        return parser.description
    }

    private init(_ text: SourceText) {
        lexer = LaunchLexer(text.bytes)
        description = LaunchDescription(text: text)
    }

    var text: SourceText { description.text }

    private mutating func run() {
        var isEmpty = true
        while let token = lexer.next() {
            isEmpty = false
            let bin = binProperties
            let list = padList
            binProperties = nil
            padList = .none
            switch token.kind {
            case .identifier: identifier(token.range)
            case .assignment(let key, let value): assignment(key, value, bin: bin)
            case .preset(let value): preset(token.range, value)
            case .padReference: padReference(token.range)
            case .reference(let element, let pad): reference(token.range, element, pad)
            case .binOpener(let factory): open(token.range, factory: factory)
            case .link(let caps): link(token.range, caps)
            case .uri: uri(token.range)
            case .mark("("): open(token.range, factory: nil)
            case .mark(")"): close(token.range)
            case .mark(","): comma(token.range, list)
            case .mark(let mark): self.mark(mark, token.range)
            case .stray(let byte): stray(byte, token.range)
            }
        }
        endChain()
        for level in levels.dropFirst().reversed() {
            error(level.span, "\"(\" is never closed", help: "end the bin with \")\"")
        }
        if isEmpty {
            problems.error(
                at: text.span, "the launch text is empty", help: "for example: videotestsrc ! fakesink")
        }
    }

    private mutating func identifier(_ range: Range<Int>) {
        if range.upperBound < text.bytes.count, text.bytes[range.upperBound] == "/" {
            misplacedCaps(range)
            return
        }
        let index = description.elements.count
        description.elements.append(
            LaunchElement(
                factory: text.string(range), factorySpan: text.span(range), name: nil, nameSpan: nil, properties: [],
                isBin: false, bin: levels.last?.bin, nameOffset: range.upperBound))
        let end = LaunchEnd(node: .element(index))
        beginElementary(first: end)
        place = .element(owner: index, end: end)
    }

    private mutating func assignment(_ key: Range<Int>, _ value: Range<Int>, bin: Int?) {
        var owner = bin
        if bin != nil { binProperties = bin }
        if owner == nil, case .element(let element?, let end) = place, end?.pads.isEmpty ?? true { owner = element }
        guard let owner else {
            error(
                key.lowerBound..<value.upperBound, "\(quoted(text.string(key)))=... belongs to no element",
                help: "properties stand directly behind their element, those of a bin behind its \"(\"")
            return
        }
        if let (bracket, end) = cutBracket(value) {
            error(
                bracket..<value.upperBound,
                "the value of \(quoted(text.string(key))) ends inside the \"\(text.string(bracket..<bracket + 1))\"",
                help: "a value with spaces goes in double quotes: \(text.string(key))=\"...\"")
            lexer.skip(to: end)
            return
        }
        let property = LaunchProperty(
            key: text.string(key), keySpan: text.span(key), value: LaunchValue.decode(text.bytes[value]),
            valueSpan: text.span(value), valueRange: value)
        let sign = text.bytes[key.upperBound...].firstIndex(of: UInt8(ascii: "=")) ?? key.upperBound
        let found = LaunchValue.check(property, raw: text.bytes[value], sign: text.span(sign..<sign + 1))
        problems.add(found)
        // What it would be set to is not what was meant.
        if found.contains(where: { $0.severity == .error }) { return }
        description.elements[owner].properties.append(property)
        guard property.key == "name" else { return }
        if description.elements[owner].name != nil {
            problems.error(
                at: property.keySpan, "this element has a name already", help: "GStreamer keeps the first; remove one")
        } else if property.value.isEmpty {
            problems.error(at: property.valueSpan, "a name may not be empty")
        } else {
            description.elements[owner].name = property.value
            description.elements[owner].nameSpan = property.valueSpan
        }
    }

    /// A bare value that ended at a space inside `{ }` or `[ ]`: the bracket, and the end of the word that closes it.
    private func cutBracket(_ value: Range<Int>) -> (bracket: Int, end: Int)? {
        let bytes = text.bytes
        guard bytes[value.lowerBound] != "\"", bytes[value.lowerBound] != "'",
            let bracket = value.last(where: { "{[}]".utf8.contains(bytes[$0]) }), "{[".utf8.contains(bytes[bracket])
        else { return nil }
        let wanted = UInt8(ascii: bytes[bracket] == "{" ? "}" : "]")
        var end = value.upperBound
        while end < bytes.count, bytes[end] != wanted {
            if bytes[end] == "!" { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        while end < bytes.count, !bytes[end].isASCIISpace { end += 1 }
        return (bracket, end)
    }

    private mutating func preset(_ range: Range<Int>, _ value: Range<Int>) {
        guard case .element(let owner?, let end) = place, end?.pads.isEmpty ?? true else {
            error(range, "a preset belongs to no element", help: "write it directly behind its element")
            return
        }
        if text.string(value) == "!" {
            error(range, "the preset has no name", help: "write @preset=NAME")
        }
        description.elements[owner].presets.append(
            LaunchPreset(name: LaunchValue.unescape(text.bytes[value]), span: text.span(value)))
    }

    private mutating func padReference(_ range: Range<Int>) {
        let pad = pad(range.lowerBound + 1..<range.upperBound)
        switch place {
        case .element(_, var end?) where end.pads.isEmpty:
            end.pads = [pad]
            // Properties may not follow.
            place = .element(owner: nil, end: end)
        case .link(let link, let pads) where pads.isEmpty: place = .link(link, pads: [pad])
        case .start, .element, .link, .reference, .uri:
            error(
                range, "the pad \(quoted(text.string(range))) belongs to no element",
                help: "a pad stands behind its element and before a link, or behind a link and before its element")
            return
        }
        padList = .place
    }

    private mutating func reference(_ range: Range<Int>, _ element: Range<Int>, _ padName: Range<Int>?) {
        let index = description.references.count
        description.references.append(
            LaunchReference(
                element: text.string(element), pad: padName.map { text.string($0) }, span: text.span(range)))
        let end = LaunchEnd(node: .reference(index), pads: padName.map { [pad($0)] } ?? [])
        if endsChain(end) {
            padList = .lastSink
        } else {
            place = .reference(range, end)
            padList = .place
        }
    }

    private mutating func uri(_ range: Range<Int>) {
        let written = text.string(range)
        if !isURI(range.lowerBound) {
            error(range, "\(quoted(written)) is no element", help: "a file is written as a URI: file:///path")
        }
        let end = LaunchEnd(node: .uri(description.uris.count))
        let isSink = endsChain(end)
        if !isSink { place = .uri(end) }
        description.uris.append(
            LaunchURI(text: LaunchValue.unescape(text.bytes[range]), span: text.span(range), isSink: isSink))
    }

    private func pad(_ range: Range<Int>) -> LaunchEnd.Pad {
        LaunchEnd.Pad(name: text.string(range), span: text.span(range))
    }

    private mutating func comma(_ range: Range<Int>, _ list: PadList) {
        guard list != .none else {
            mark(UInt8(ascii: ","), range)
            return
        }
        guard let token = lexer.next(), case .identifier = token.kind else {
            error(range, "no pad behind this comma", help: "a list of pads is written .src_0,src_1")
            return
        }
        padList = list
        let pad = pad(token.range)
        if list == .lastSink {
            if !description.links.isEmpty { description.links[description.links.count - 1].sink.pads.append(pad) }
            return
        }
        switch place {
        case .element(let owner, var end?):
            end.pads.append(pad)
            place = .element(owner: owner, end: end)
        case .link(let link, let pads): place = .link(link, pads: pads + [pad])
        case .reference(let range, var end):
            end.pads.append(pad)
            place = .reference(range, end)
        case .start, .element, .uri: break
        }
    }

    private mutating func mark(_ mark: UInt8, _ range: Range<Int>) {
        if mark == "=" {
            error(
                range, "no property to set here", help: "properties are written key=value, a value may not be missing")
        } else {
            error(range, "unexpected \(quoted(text.string(range)))", help: Self.rule(mark))
        }
    }

    private mutating func stray(_ byte: UInt8, _ range: Range<Int>) {
        if byte == "\"" || byte == "'" {
            let end = lexer.valueEnd(range.lowerBound) ?? range.upperBound
            let whole = range.lowerBound..<end
            lexer.skip(to: end)
            if case .link = place {
                error(whole, "a filter takes no quotes", help: "write the caps bare: ! video/x-raw,width=320 !")
                // What follows is most likely the filter's second link.
                var ahead = lexer
                if let next = ahead.next(), case .link = next.kind { lexer = ahead }
            } else {
                error(whole, "text in quotes belongs to no property", help: "properties are written key=\"value\"")
            }
            return
        }
        error(range, "unexpected \(quoted(text.string(range)))", help: Self.rule(byte))
    }

    private static func rule(_ byte: UInt8) -> String? {
        switch byte {
        case "#": "launch texts have no comments; write them on a line of their own outside the text"
        case "@": "presets are written @preset=NAME behind their element"
        case ",": "elements are joined by \"!\"; caps need a media type, as in video/x-raw,width=320"
        case ";": "chains follow each other without a separator"
        case "{", "}": "threads in braces are gone since GStreamer 0.10; use queue elements"
        default: nil
        }
    }

    /// Whether a word at `start` has a scheme.
    private func isURI(_ start: Int) -> Bool {
        var index = start
        while index < text.bytes.count, text.bytes[index].isASCIIAlphanumeric || "+-.".utf8.contains(text.bytes[index])
        {
            index += 1
        }
        return index > start && text.bytes[index...].starts(with: "://".utf8)
    }

    mutating func error(_ range: Range<Int>, _ message: String, help: String? = nil) {
        problems.error(at: text.span(range), message, help: help)
    }
}
