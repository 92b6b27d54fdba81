internal import CYAML

/// libyaml's parser: one event after the other until the end or an error.
///
/// - Ownership: owns the parser and a copy of the text, which libyaml reads in place.
final class YAMLEventStream {
    struct SyntaxError: Error {
        var message: String
        var offset: Int
        /// Where what cannot be read begins: an opening quote or bracket.
        var contextOffset: Int?
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>
    /// Byte offset of each character, as libyaml counts characters; nil where they are the same.
    private let offsets: [UInt32]?
    private let skipped: Int
    private let size: Int

    /// - Parameter bytes: valid UTF-8.
    init?(_ bytes: [UInt8]) {
        skipped = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        size = bytes.count
        let body = bytes[skipped...]
        if body.contains(where: { $0 >= 0x80 }) {
            offsets = body.indices.filter { !bytes[$0].isUTF8Continuation }.map { UInt32($0) }
        } else {
            offsets = nil
        }
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, body.count))
        _ = memory.initialize(from: body)
        text = memory
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) != 0 else {
            parser.deallocate()
            memory.deallocate()
            return nil
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, memory.baseAddress, body.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    func next() throws(SyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) != 0 else { throw failure() }
        defer { yaml_event_delete(&event) }
        let start = offset(of: event.start_mark)
        let end = offset(of: event.end_mark)
        var result = YAMLEvent(kind: .other, range: start..<max(start, end))
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: result.kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: result.kind = .documentEnd
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: result.kind = .streamEnd
        case YAML_SEQUENCE_END_EVENT: result.kind = .listEnd
        case YAML_MAPPING_END_EVENT: result.kind = .mapEnd
        case YAML_ALIAS_EVENT: result.kind = .alias(string(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            result.kind = .listStart
            result.anchor = string(event.data.sequence_start.anchor)
            result.hasTag = event.data.sequence_start.tag != nil
        case YAML_MAPPING_START_EVENT:
            result.kind = .mapStart
            result.anchor = string(event.data.mapping_start.anchor)
            result.hasTag = event.data.mapping_start.tag != nil
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let value = scalar.value.map { Array(UnsafeBufferPointer(start: $0, count: scalar.length)) } ?? []
            result.kind = .scalar(value, style(scalar.style))
            result.anchor = string(scalar.anchor)
            result.hasTag = scalar.tag != nil
        default: break
        }
        return result
    }

    private func style(_ style: yaml_scalar_style_t) -> ScalarAligner.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .plain
        }
    }

    private func failure() -> SyntaxError {
        let parser = parser.pointee
        let problem = parser.problem.map { String(cString: $0) } ?? "cannot be read"
        switch parser.error {
        case YAML_MEMORY_ERROR: return SyntaxError(message: "out of memory", offset: 0)
        case YAML_READER_ERROR: return SyntaxError(message: problem, offset: skipped + Int(parser.problem_offset))
        default:
            return SyntaxError(
                message: problem, offset: offset(of: parser.problem_mark),
                contextOffset: parser.context == nil ? nil : offset(of: parser.context_mark))
        }
    }

    private func offset(of mark: yaml_mark_t) -> Int {
        let index = Int(clamping: mark.index)
        guard let offsets else { return min(skipped + index, size) }
        return index < offsets.count ? Int(offsets[index]) : size
    }

    private func string(_ text: UnsafePointer<yaml_char_t>?) -> String? {
        text.map { String(cString: $0) }
    }

    private func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        text.map { String(cString: $0) }
    }
}
