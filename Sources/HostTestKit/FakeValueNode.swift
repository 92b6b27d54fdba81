internal import HostCore
internal import PluginABI

/// One node of a value tree as the ABI shows it. The root's owner decides how long the tree is valid.
///
/// Thread: any.
// Constant after init, which is why all threads may read it.
final class FakeValueNode: @unchecked Sendable {
    private let value: Value
    private let children: [FakeValueNode]
    private let keys: [UnsafeMutableBufferPointer<CChar>]
    private let text: UnsafeMutableBufferPointer<CChar>?

    init(_ value: Value) {
        self.value = value
        switch value {
        case .list(let items):
            (children, keys, text) = (items.map { FakeValueNode($0) }, [], nil)
        case .map(let members):
            (children, keys, text) = (
                members.map { FakeValueNode($0.value) }, members.map { Self.copy($0.key) }, nil
            )
        case .string(let string):
            (children, keys, text) = ([], [], Self.copy(string))
        default:
            (children, keys, text) = ([], [], nil)
        }
    }

    deinit {
        for key in keys { key.deallocate() }
        text?.deallocate()
    }

    var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    static func table() -> mh_value_ext_1 {
        mh_value_ext_1(
            type: { mh_value_type(truncatingIfNeeded: FakeValueNode.of($0)?.type ?? Int(MH_VALUE_NULL)) },
            as_bool: { FakeValueNode.of($0)?.value.bool == true ? 1 : 0 },
            as_int: { FakeValueNode.of($0)?.value.int ?? 0 },
            as_double: { FakeValueNode.of($0)?.value.double ?? 0 },
            as_string: { FakeValueNode.string(FakeValueNode.of($0)?.text) },
            count: { FakeValueNode.of($0)?.children.count ?? 0 },
            item: { FakeValueNode.of($0)?.child($1) },
            key: { value, index in
                guard let keys = FakeValueNode.of(value)?.keys, keys.indices.contains(index) else { return mh_str_1() }
                return FakeValueNode.string(keys[index])
            },
            member: { value, key in
                let name = FakeText.string(key)
                guard let node = FakeValueNode.of(value), case .map(let members) = node.value,
                    let index = members.firstIndex(where: { $0.key == name })
                else { return nil }
                return node.child(index)
            },
            build: { FakeBuilder.make() },
            discard: { FakeBuilder.consume($0) },
            put_null: { FakeBuilder.put($0, $1, .null) },
            put_bool: { FakeBuilder.put($0, $1, .bool($2 != 0)) },
            put_int: { FakeBuilder.put($0, $1, .int($2)) },
            put_double: { FakeBuilder.put($0, $1, .double($2)) },
            put_string: { FakeBuilder.put($0, $1, .string(FakeText.string($2))) },
            open_map: { FakeBuilder.open($0, $1, list: false) },
            open_list: { FakeBuilder.open($0, $1, list: true) },
            close: { FakeBuilder.close($0) })
    }

    private static func of(_ handle: OpaquePointer?) -> FakeValueNode? {
        handle.map { Unmanaged<FakeValueNode>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    private var type: Int {
        switch value {
        case .null: Int(MH_VALUE_NULL)
        case .bool: Int(MH_VALUE_BOOL)
        case .int: Int(MH_VALUE_INT)
        case .double: Int(MH_VALUE_DOUBLE)
        case .string: Int(MH_VALUE_STRING)
        case .list: Int(MH_VALUE_LIST)
        case .map: Int(MH_VALUE_MAP)
        }
    }

    private func child(_ index: Int) -> OpaquePointer? {
        children.indices.contains(index) ? children[index].handle : nil
    }

    private static func copy(_ string: String) -> UnsafeMutableBufferPointer<CChar> {
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: string.utf8.count + 1)
        _ = memory.initialize(from: string.utf8.lazy.map { CChar(bitPattern: $0) })
        memory.initializeElement(at: string.utf8.count, to: 0)
        return memory
    }

    private static func string(_ memory: UnsafeMutableBufferPointer<CChar>?) -> mh_str_1 {
        guard let memory else { return mh_str_1() }
        return mh_str_1(ptr: memory.baseAddress, len: memory.count - 1)
    }
}
