/// C strings and NULL-terminated lists of them, alive as long as this object.
///
/// Descriptors keep theirs for ever; an instance's tables free theirs with `destroy`.
final class CStrings {
    private var strings: [UnsafeMutableBufferPointer<CChar>] = []
    private var lists: [UnsafeMutableBufferPointer<UnsafePointer<CChar>?>] = []

    deinit {
        for string in strings { string.deallocate() }
        for list in lists { list.deallocate() }
    }

    /// A terminated copy, or NULL for `nil`.
    func add(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        return add(text)
    }

    func add(_ text: String) -> UnsafePointer<CChar>? {
        let bytes = text.utf8
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count + 1)
        _ = copy.initialize(from: bytes.lazy.map { CChar(bitPattern: $0) })
        copy.initializeElement(at: bytes.count, to: 0)
        strings.append(copy)
        return UnsafePointer(copy.baseAddress)
    }

    /// A NULL-terminated list.
    func add(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?>? {
        let list = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { list.initializeElement(at: index, to: add(text)) }
        list.initializeElement(at: texts.count, to: nil)
        lists.append(list)
        return UnsafePointer(list.baseAddress)
    }
}
