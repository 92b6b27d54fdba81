/// Reads gst-launch syntax: the same words and grammar as GStreamer 1.22's `gst_parse_launch`, with positions.
///
/// It is stricter in three places where GStreamer builds something the user cannot have meant: a quote that is never
/// closed, a link sign taken for a value (`location= ! fakesink`), and a path in the place of a URI. After a mistake it
/// goes on with the next word, so one reading finds all of them.
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
    /// Where in a chain the parser stands.
    private enum Place {
        case start
        /// Behind an element, whose properties may follow; its pads, if named.
        case element(Int?, pads: Range<Int>?)
        /// Behind a link, with the pads of the element to come, if named.
        case link(Range<Int>, pads: Range<Int>?)
        /// Behind a reference that begins a chain: a link must follow.
        case reference(Range<Int>)
        /// Behind a URI that begins a chain.
        case uri
    }

    private struct Bracket {
        var span: Range<Int>
        var isEmpty = true
    }

    private var lexer: LaunchLexer
    private var problems = Problems()
    private var place = Place.start
    private var brackets: [Bracket] = []
    private var description: LaunchDescription
    /// Directly behind the opening of a bin its properties may stand.
    private var binProperties: Int?
    /// Whether `, pad` may go on a list of pads.
    private var padList = false

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
        description = LaunchDescription(text: text, elements: [], references: [], uris: [], filters: [])
    }

    private var text: SourceText { description.text }

    private mutating func run() {
        var isEmpty = true
        while let token = lexer.next() {
            isEmpty = false
            let bin = binProperties
            let inPadList = padList
            binProperties = nil
            padList = false
            switch token.kind {
            case .identifier: identifier(token.range)
            case .assignment(let key, let value): assignment(key, value, bin: bin)
            case .preset(let value): preset(token.range, value)
            case .padReference: padReference(token.range)
            case .reference(let element, let pad): reference(token.range, element, pad)
            case .binOpener(let factory): open(token.range, factory: factory)
            case .link(let caps): link(token.range, caps)
            case .uri: uri(token.range)
            case .mark(let mark): self.mark(mark, token.range, inPadList: inPadList)
            case .stray(let byte): stray(byte, token.range)
            }
        }
        endChain()
        for bracket in brackets.reversed() {
            error(bracket.span, "\"(\" is never closed", help: "end the bin with \")\"")
        }
        if isEmpty {
            problems.error(
                at: text.span, "the launch text is empty", help: "for example: videotestsrc ! fakesink")
        }
    }

    // MARK: words

    private mutating func identifier(_ range: Range<Int>) {
        if range.upperBound < text.bytes.count, text.bytes[range.upperBound] == "/" {
            misplacedCaps(range)
            return
        }
        beginElement()
        place = .element(description.elements.count, pads: nil)
        description.elements.append(
            LaunchElement(
                factory: text.string(range), factorySpan: text.span(range), name: nil, nameSpan: nil, properties: [],
                isBin: false, nameOffset: range.upperBound))
    }

    private mutating func assignment(_ key: Range<Int>, _ value: Range<Int>, bin: Int?) {
        var owner = bin
        if bin != nil { binProperties = bin }
        if owner == nil, case .element(let element?, nil) = place { owner = element }
        guard let owner else {
            error(
                key.lowerBound..<value.upperBound, "\(quoted(text.string(key)))=... belongs to no element",
                help: "properties stand directly behind their element, those of a bin behind its \"(\"")
            return
        }
        let property = LaunchProperty(
            key: text.string(key), keySpan: text.span(key), value: LaunchValue.decode(text.bytes[value]),
            valueSpan: text.span(value))
        problems.add(LaunchValue.check(property, raw: text.bytes[value]))
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

    private mutating func preset(_ range: Range<Int>, _ value: Range<Int>) {
        guard case .element(_?, nil) = place else {
            error(range, "a preset belongs to no element", help: "write it directly behind its element")
            return
        }
        if text.string(value) == "!" {
            error(range, "the preset has no name", help: "write @preset=NAME")
        }
    }

    private mutating func padReference(_ range: Range<Int>) {
        switch place {
        case .element(let element, nil): place = .element(element, pads: range)
        case .link(let link, nil): place = .link(link, pads: range)
        case .start, .element, .link, .reference, .uri:
            error(
                range, "the pad \(quoted(text.string(range))) belongs to no element",
                help: "a pad stands behind its element and before a link, or behind a link and before its element")
            return
        }
        padList = true
    }

    private mutating func reference(_ range: Range<Int>, _ element: Range<Int>, _ pad: Range<Int>?) {
        description.references.append(
            LaunchReference(element: text.string(element), pad: pad.map { text.string($0) }, span: text.span(range)))
        if case .link(_, let pads) = place {
            if let pads { unexpectedPad(pads) }
            place = .start  // a reference ends its chain
        } else {
            endChain()
            place = .reference(range)
        }
        markNotEmpty()
        padList = true
    }

    private mutating func open(_ range: Range<Int>, factory: Range<Int>?) {
        beginElement()
        description.elements.append(
            LaunchElement(
                factory: factory.map { text.string($0) } ?? "bin", factorySpan: text.span(factory ?? range), name: nil,
                nameSpan: nil, properties: [], isBin: true, nameOffset: range.upperBound))
        binProperties = description.elements.count - 1
        brackets.append(Bracket(span: range))
        place = .start
    }

    private mutating func link(_ range: Range<Int>, _ caps: Range<Int>?) {
        let sign = range.lowerBound..<range.lowerBound + 1
        switch place {
        case .element, .reference, .uri: break
        case .start:
            error(
                sign, "nothing stands before this link",
                help: "a link joins two elements: videotestsrc ! fakesink"
                    + (description.references.isEmpty ? "" : "; a reference ends its chain"))
        case .link(let last, _):
            error(
                sign, "no element between two links",
                help: text.bytes[last].count > 1
                    ? "a second filter in a row needs an element: ! capsfilter caps=... !" : nil)
        }
        if let caps { description.filters.append(text.span(caps)) }
        place = .link(range, pads: nil)
    }

    private mutating func uri(_ range: Range<Int>) {
        let written = text.string(range)
        if !isURI(range.lowerBound) {
            error(range, "\(quoted(written)) is no element", help: "a file is written as a URI: file:///path")
        }
        if case .link(_, let pads) = place {
            if let pads { unexpectedPad(pads) }
            place = .start
        } else {
            endChain()
            place = .uri
        }
        markNotEmpty()
        description.uris.append(text.span(range))
    }

    private mutating func mark(_ mark: UInt8, _ range: Range<Int>, inPadList: Bool) {
        switch mark {
        case "(": open(range, factory: nil)
        case ")": close(range)
        case "," where inPadList:
            guard let pad = lexer.next(), case .identifier = pad.kind else {
                error(range, "no pad behind this comma", help: "a list of pads is written .src_0,src_1")
                return
            }
            padList = true
        case "=":
            error(
                range, "no property to set here", help: "properties are written key=value, a value may not be missing")
        default:
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

    // MARK: structure

    /// Makes room for an element: behind a link it goes on the chain, anywhere else it begins one.
    private mutating func beginElement() {
        switch place {
        case .link: break
        case .start, .element, .reference, .uri: endChain()
        }
        markNotEmpty()
    }

    private mutating func endChain() {
        switch place {
        case .link(let range, _):
            let end = max(range.lowerBound, range.upperBound - 1)
            error(
                end..<range.upperBound, "nothing follows this link",
                help: "a link joins two elements: videotestsrc ! fakesink")
        case .element(_, let pads?): unexpectedPad(pads)
        case .reference(let range):
            error(
                range, "nothing is linked to \(quoted(text.string(range)))",
                help: "a reference needs a link: name. ! element, or element ! name.")
        case .start, .element, .uri: break
        }
        place = .start
    }

    private mutating func close(_ range: Range<Int>) {
        endChain()
        guard let bracket = brackets.popLast() else {
            error(range, "\")\" closes nothing", help: "a bin begins with \"(\"")
            return
        }
        if bracket.isEmpty {
            error(bracket.span.lowerBound..<range.upperBound, "the bin is empty", help: "put an element into it")
        }
        place = .element(nil, pads: nil)
    }

    private mutating func markNotEmpty() {
        if !brackets.isEmpty { brackets[brackets.count - 1].isEmpty = false }
    }

    private mutating func unexpectedPad(_ range: Range<Int>) {
        error(
            range, "nothing is linked to the pad \(quoted(text.string(range)))",
            help: "a link must follow: .src ! element")
    }

    /// `! video/x-raw` at the end of a chain, or without a link before it.
    private mutating func misplacedCaps(_ range: Range<Int>) {
        var end = range.upperBound
        while end < text.bytes.count, text.bytes[end] != "!" { end += 1 }
        while end > range.upperBound, text.bytes[end - 1].isASCIISpace { end -= 1 }
        lexer.skip(to: end)
        let caps = text.string(range.lowerBound..<end)
        error(
            range.lowerBound..<end, "caps must stand between two links",
            help: end - range.lowerBound <= 60 ? "write: ! \(caps) ! element" : nil)
        if case .link = place { place = .element(nil, pads: nil) }
        markNotEmpty()
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

    private mutating func error(_ range: Range<Int>, _ message: String, help: String? = nil) {
        problems.error(at: text.span(range), message, help: help)
    }
}
