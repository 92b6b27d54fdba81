/// A value as the plugin ABI hands it out: every node has an address and terminated strings that live as long as the root.
///
/// Immutable after init, so any thread may read it.
final class ValueNode: Sendable {
    let value: Value
    let children: [ValueNode]
    /// The text of a string node, or the keys of a map, terminated.
    // Allocated in init, written never again, freed in deinit.
    private nonisolated(unsafe) let texts: [UnsafeMutableBufferPointer<CChar>]

    init(_ value: Value) {
        self.value = value
        switch value {
        case .list(let items):
            children = items.map(ValueNode.init)
            texts = []
        case .map(let members):
            children = members.map { ValueNode($0.value) }
            texts = members.map { Self.terminated($0.key) }
        case .string(let text):
            children = []
            texts = [Self.terminated(text)]
        case .null, .bool, .int, .double:
            children = []
            texts = []
        }
    }

    deinit { for text in texts { text.deallocate() } }

    /// The text at an index, without its terminator.
    func text(_ index: Int) -> UnsafeBufferPointer<CChar>? {
        guard texts.indices.contains(index) else { return nil }
        return UnsafeBufferPointer(rebasing: texts[index].dropLast())
    }

    func child(_ index: Int) -> ValueNode? { children.indices.contains(index) ? children[index] : nil }

    func member(_ key: String) -> ValueNode? {
        guard case .map(let members) = value, let index = members.firstIndex(where: { $0.key == key }) else {
            return nil
        }
        return children[index]
    }

    private static func terminated(_ text: String) -> UnsafeMutableBufferPointer<CChar> {
        let characters = text.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
        _ = copy.initialize(from: characters)
        return copy
    }
}

extension ValueNode {
    /// The handle the ABI carries; valid as long as the root of the tree.
    var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    static func from(_ handle: OpaquePointer?) -> ValueNode? {
        handle.map { Unmanaged<ValueNode>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }
}
