import Foundation

/// JSON read by somebody else than the code that wrote it.
// Foundation's JSON objects are immutable.
struct JSON: @unchecked Sendable {
    private let value: Any?

    init(_ text: String) throws { value = try JSONSerialization.jsonObject(with: Data(text.utf8)) }

    private init(value: Any?) { self.value = value }

    subscript(key: String) -> JSON { JSON(value: (value as? [String: Any])?[key]) }
    var list: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0) } }
    var keys: [String] { (value as? [String: Any] ?? [:]).keys.sorted() }
    var int: Int? { value as? Int }
    var double: Double? { (value as? NSNumber)?.doubleValue }
    var string: String? { value as? String }
    var bool: Bool? { value as? Bool }
}
