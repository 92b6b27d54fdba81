/// Caps as they are written, cut into structures and fields, to say which part of them cannot be read.
struct CapsText {
    /// What is wrong, and the bytes of the text it is at.
    struct Problem {
        var range: Range<Int>
        var message: String
        var help: String?
        var suggestion: String?
    }

    /// Media type with its features, and the fields; trimmed.
    struct Structure {
        var head: Range<Int>
        var fields: [Range<Int>]
        /// The first bracket that nothing closes.
        var openBracket: Int?
    }

    let bytes: [UInt8]
    let structures: [Structure]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        structures = Self.cut(bytes)
    }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// `head,field` alone.
    func alone(_ field: Range<Int>, of structure: Structure) -> String {
        "\(string(structure.head)),\(string(field))"
    }

    /// The first part that `canRead` does not read; nil where it reads all of it.
    func problem(canRead: (String) -> Bool) -> Problem? {
        guard !canRead(string(0..<bytes.count)) else { return nil }
        for structure in structures {
            if let problem = problem(in: structure, canRead: canRead) { return problem }
        }
        return Problem(range: 0..<bytes.count, message: "these caps cannot be read")
    }

    private func problem(in structure: Structure, canRead: (String) -> Bool) -> Problem? {
        if let bracket = structure.openBracket {
            return Problem(
                range: bracket..<(structure.fields.last ?? structure.head).upperBound,
                message: "the \"\(string(bracket..<bracket + 1))\" in these caps is never closed")
        }
        let head = string(structure.head)
        guard canRead(head) else {
            let isField = head.utf8.contains(UInt8(ascii: "="))
            return Problem(
                range: structure.head, message: "\(quoted(head)) is no media type",
                help: isField || head.utf8.contains(UInt8(ascii: " "))
                    ? "fields are set apart by commas: video/x-raw,width=320" : "as in video/x-raw or audio/x-raw")
        }
        for (index, field) in structure.fields.enumerated() {
            // GStreamer takes a comma at the end.
            let isMissing = field.isEmpty && index + 1 < structure.fields.count
            if isMissing || !canRead(alone(field, of: structure)) { return problem(of: field, isFirst: index == 0) }
        }
        return nil
    }

    private func problem(of field: Range<Int>, isFirst: Bool) -> Problem {
        let text = string(field)
        if field.isEmpty {
            return Problem(
                range: max(0, field.lowerBound - 1)..<field.lowerBound, message: "a field is missing behind this comma")
        }
        guard let sign = bytes[field].firstIndex(of: UInt8(ascii: "=")) else {
            return Problem(
                range: field, message: "\(quoted(text)) is no field of caps",
                help: isFirst ? "fields are written name=value" : "several values are written name={first,second}")
        }
        var start = sign + 1
        while start < field.upperBound, bytes[start].isASCIISpace { start += 1 }
        if start < field.upperBound, bytes[start] == "(",
            let end = bytes[start..<field.upperBound].firstIndex(of: UInt8(ascii: ")"))
        {
            let type = string(start + 1..<end)
            if !Self.types.contains(type) {
                return Problem(
                    range: start + 1..<end, message: "\(quoted(type)) is no type of caps",
                    help: "types: \(Self.types.joined(separator: ", "))",
                    suggestion: Suggestion.nearest(to: type, among: Self.types))
            }
            return Problem(
                range: end + 1..<max(end + 1, field.upperBound),
                message: "\(quoted(string(end + 1..<field.upperBound))) cannot be read as \(type)")
        }
        return Problem(
            range: field, message: "\(quoted(text)) is no field of caps",
            help: "a value with signs of its own goes in double quotes: name=\"a value\"")
    }

    private static let types = ["int", "int64", "uint", "float", "double", "string", "boolean", "fraction", "bitmask"]

    /// Cuts at `;` and `,` that stand outside brackets and quotes.
    private static func cut(_ bytes: [UInt8]) -> [Structure] {
        var structures: [Structure] = []
        var parts: [Range<Int>] = []
        var start = 0
        var brackets: [Int] = []
        var isQuoted = false

        func trimmed(_ range: Range<Int>) -> Range<Int> {
            var low = range.lowerBound
            var high = range.upperBound
            while low < high, bytes[low].isASCIISpace { low += 1 }
            while high > low, bytes[high - 1].isASCIISpace { high -= 1 }
            return low..<high
        }
        func endStructure(at end: Int) {
            parts.append(trimmed(start..<end))
            structures.append(Structure(head: parts[0], fields: Array(parts.dropFirst()), openBracket: brackets.first))
            parts = []
            brackets = []
        }

        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case "\\": index += 1
            case "\"": isQuoted.toggle()
            case _ where isQuoted: break
            case "(", "[", "{", "<": brackets.append(index)
            case ")", "]", "}", ">": _ = brackets.popLast()
            case "," where brackets.isEmpty:
                parts.append(trimmed(start..<index))
                start = index + 1
            case ";" where brackets.isEmpty:
                endStructure(at: index)
                start = index + 1
            default: break
            }
            index += 1
        }
        endStructure(at: bytes.count)
        return structures
    }
}
