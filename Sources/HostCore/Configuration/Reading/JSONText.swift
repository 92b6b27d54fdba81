internal import CGLib
internal import CJSON

/// JSON text to `Value` and back, by json-glib.
///
/// - Thread: any.
public enum JSONText {
    /// What is wrong with a text that is no JSON, in the parser's words.
    public struct SyntaxError: Error, Equatable {
        public var message: String
    }

    /// Nesting deeper than this is refused: it serves nobody and costs stack.
    static let deepest = 64

    public static func parse(_ text: String) throws(SyntaxError) -> Value {
        try checkDepth(text)
        try checkZeros(text)
        guard let parser = json_parser_new() else { throw SyntaxError(message: "no memory for a parser") }
        defer { g_object_unref(parser) }
        var failure: UnsafeMutablePointer<GError>?
        guard json_parser_load_from_data(parser, text, text.utf8.count, &failure) != 0 else {
            defer { g_clear_error(&failure) }
            throw SyntaxError(message: failure.map { String(cString: $0.pointee.message) } ?? "not JSON")
        }
        guard let root = json_parser_get_root(parser) else { throw SyntaxError(message: "the text is empty") }
        return try value(of: root, depth: 0)
    }

    /// json-glib calls itself for each level, and a text of brackets alone would end the process: they are counted first. What
    /// could hide a bracket from the count (comments, single quotes: json-glib takes them, JSON has none) is refused.
    private static func checkDepth(_ text: String) throws(SyntaxError) {
        var (depth, isString, isEscaped) = (0, false, false)
        // The first value was a list or a map, and has ended: json-glib would throw away what follows.
        var isOver = false
        for byte in text.utf8 {
            if isOver {
                guard [0x20, 0x09, 0x0a, 0x0d].contains(byte) else {
                    throw SyntaxError(message: "something follows the end of the value")
                }
                continue
            }
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= deepest else { throw SyntaxError(message: "nested deeper than \(deepest) levels") }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                isOver = depth == 0
            case UInt8(ascii: "/"), UInt8(ascii: "'"), UInt8(ascii: "#"):
                let character = Character(Unicode.Scalar(byte))
                throw SyntaxError(
                    message: "a \(character) stands outside of a string: JSON has no comments and no other quotes")
            default: break
            }
        }
    }

    /// json-glib hands texts on as C strings: a NUL would cut them short, and what follows would be lost without a word.
    private static func checkZeros(_ text: String) throws(SyntaxError) {
        var isEscaped = false
        // How much of `u0000` has come behind a backslash.
        var matched = 0
        let escape = Array("u0000".utf8)
        for byte in text.utf8 {
            if byte == 0 || matched == escape.count { throw SyntaxError(message: Self.zero) }
            if isEscaped {
                isEscaped = false
                matched = byte == escape[0] ? 1 : 0
            } else if matched > 0, byte == escape[matched] {
                matched += 1
            } else {
                matched = 0
                isEscaped = byte == UInt8(ascii: "\\")
            }
        }
    }

    private static let zero = "a text holds a NUL (\\u0000), which no text of the host can"

    public static func render(_ value: Value, pretty: Bool = false) -> String {
        let root = node(of: value)
        defer { json_node_unref(root) }
        guard let text = json_to_string(root, pretty ? 1 : 0) else { return "null" }
        defer { g_free(text) }
        return escapingTheLast(String(cString: text))
    }

    /// json-glib escapes the control characters up to 0x1e (1.6), and JSON may hold none as it is.
    private static func escapingTheLast(_ text: String) -> String {
        guard text.utf8.contains(0x1f) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 { if byte == 0x1f { bytes += Array("\\u001f".utf8) } else { bytes.append(byte) } }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func value(of node: OpaquePointer, depth: Int) throws(SyntaxError) -> Value {
        guard depth < deepest else { throw SyntaxError(message: "nested deeper than \(deepest) levels") }
        switch json_node_get_node_type(node) {
        case JSON_NODE_OBJECT:
            guard let object = json_node_get_object(node) else { return .map([]) }
            var members: [Value.Member] = []
            let keys = json_object_get_members(object)
            defer { g_list_free(keys) }
            var cursor = keys
            while let link = cursor {
                if let key = link.pointee.data?.assumingMemoryBound(to: CChar.self),
                    let member = json_object_get_member(object, key)
                {
                    members.append(.init(String(cString: key), try value(of: member, depth: depth + 1)))
                }
                cursor = link.pointee.next
            }
            return .map(members)
        case JSON_NODE_ARRAY:
            guard let array = json_node_get_array(node) else { return .list([]) }
            var items: [Value] = []
            for index in 0..<json_array_get_length(array) {
                items.append(try value(of: json_array_get_element(array, index), depth: depth + 1))
            }
            return .list(items)
        case JSON_NODE_VALUE: return scalar(node)
        default: return .null
        }
    }

    private static func scalar(_ node: OpaquePointer) -> Value {
        switch json_node_get_value_type(node) {
        case mh_type_boolean(): .bool(json_node_get_boolean(node) != 0)
        case mh_type_int64(): .int(Int64(json_node_get_int(node)))
        case mh_type_double(): .double(json_node_get_double(node))
        case mh_type_string(): .string(json_node_get_string(node).map { String(cString: $0) } ?? "")
        default: .null
        }
    }

    /// A new node, owned by the caller.
    private static func node(of value: Value) -> OpaquePointer {
        let node: OpaquePointer = json_node_alloc()
        switch value {
        case .null: json_node_init_null(node)
        case .bool(let flag): json_node_init_boolean(node, flag ? 1 : 0)
        case .int(let number): json_node_init_int(node, gint64(number))
        case .double(let number) where number.isFinite: json_node_init_double(node, number)
        case .double: json_node_init_null(node)
        case .string(let text): json_node_init_string(node, text)
        case .list(let items):
            let array = json_array_new()
            for item in items { json_array_add_element(array, self.node(of: item)) }
            json_node_init_array(node, array)
            json_array_unref(array)
        case .map(let members):
            let object = json_object_new()
            for member in members { json_object_set_member(object, member.key, self.node(of: member.value)) }
            json_node_init_object(node, object)
            json_object_unref(object)
        }
        return node
    }
}
