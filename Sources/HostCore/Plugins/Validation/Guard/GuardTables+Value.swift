internal import PluginABI
import Locking

/// mh.value.draft/1 over lent trees, and builders that are counted.
extension GuardTables {
    // Immortal, constant once made.
    static nonisolated(unsafe) let value = immortal(
        mh_value_ext_1(
            type: { handle in
                switch LentValues.find(handle) {
                case .node(let node): return type(of: node.value)
                case .nothing: return mh_value_type(MH_VALUE_NULL)
                case .foreign: return HostInterface.value.pointee.type?(handle) ?? mh_value_type(MH_VALUE_NULL)
                }
            },
            as_bool: { handle in
                switch LentValues.find(handle) {
                case .node(let node): return node.value.bool == true ? 1 : 0
                case .nothing: return 0
                case .foreign: return HostInterface.value.pointee.as_bool?(handle) ?? 0
                }
            },
            as_int: { handle in
                switch LentValues.find(handle) {
                case .node(let node): return node.value.int ?? 0
                case .nothing: return 0
                case .foreign: return HostInterface.value.pointee.as_int?(handle) ?? 0
                }
            },
            as_double: { handle in
                switch LentValues.find(handle) {
                case .node(let node): return node.value.double ?? 0
                case .nothing: return 0
                case .foreign: return HostInterface.value.pointee.as_double?(handle) ?? 0
                }
            },
            as_string: { handle in
                switch LentValues.find(handle) {
                case .node(let node):
                    guard case .string = node.value else { return mh_str_1() }
                    return node.texts.first ?? mh_str_1()
                case .nothing: return mh_str_1()
                case .foreign: return HostInterface.value.pointee.as_string?(handle) ?? mh_str_1()
                }
            },
            count: { handle in
                switch LentValues.find(handle) {
                case .node(let node): return node.children.count
                case .nothing: return 0
                case .foreign: return HostInterface.value.pointee.count?(handle) ?? 0
                }
            },
            item: { handle, index in
                switch LentValues.find(handle) {
                case .node(let node):
                    let index = Int(clamping: index)
                    return node.children.indices.contains(index) ? node.children[index].handle : nil
                case .nothing: return nil
                case .foreign: return HostInterface.value.pointee.item?(handle, index) ?? nil
                }
            },
            key: { handle, index in
                switch LentValues.find(handle) {
                case .node(let node):
                    let index = Int(clamping: index)
                    guard case .map = node.value, node.texts.indices.contains(index) else { return mh_str_1() }
                    return node.texts[index]
                case .nothing: return mh_str_1()
                case .foreign: return HostInterface.value.pointee.key?(handle, index) ?? mh_str_1()
                }
            },
            member: { handle, key in
                switch LentValues.find(handle) {
                case .node(let node):
                    let name = text(key, "mh.value.member")
                    guard case .map(let members) = node.value,
                        let index = members.firstIndex(where: { $0.key == name })
                    else { return nil }
                    return node.children[index].handle
                case .nothing: return nil
                case .foreign: return HostInterface.value.pointee.member?(handle, key) ?? nil
                }
            },
            build: { Builders.make() },
            discard: { _ = Builders.consume($0, "mh.value.discard") },
            put_null: { Builders.borrow($0, "put_null")?.put(text($1, "put_null"), .null) },
            put_bool: { Builders.borrow($0, "put_bool")?.put(text($1, "put_bool"), .bool($2 != 0)) },
            put_int: { Builders.borrow($0, "put_int")?.put(text($1, "put_int"), .int($2)) },
            put_double: { Builders.borrow($0, "put_double")?.put(text($1, "put_double"), .double($2)) },
            put_string: {
                Builders.borrow($0, "put_string")?.put(text($1, "put_string"), .string(text($2, "put_string")))
            },
            open_map: { Builders.borrow($0, "open_map")?.openMap(text($1, "open_map")) },
            open_list: { Builders.borrow($0, "open_list")?.openList(text($1, "open_list")) },
            close: { Builders.borrow($0, "close")?.close() }))

    private static func type(of value: Value) -> mh_value_type {
        switch value {
        case .null: mh_value_type(MH_VALUE_NULL)
        case .bool: mh_value_type(MH_VALUE_BOOL)
        case .int: mh_value_type(MH_VALUE_INT)
        case .double: mh_value_type(MH_VALUE_DOUBLE)
        case .string: mh_value_type(MH_VALUE_STRING)
        case .list: mh_value_type(MH_VALUE_LIST)
        case .map: mh_value_type(MH_VALUE_MAP)
        }
    }

    /// A copy of what the plugin gave, and a word where it is not what it may give.
    static func text(_ text: mh_str_1, _ function: String) -> String {
        if let start = text.ptr, text.len > 0 {
            let bytes = UnsafeRawBufferPointer(start: start, count: text.len)
            if text.len < 1 << 20, UTF8Check.firstInvalid(in: Array(bytes)) != nil {
                TrialPipe.tell(
                    TrialFault(
                        "gave \(function) a text that is not valid UTF-8",
                        expected: "texts are UTF-8, with their length (mediahost/types.h, Strings)",
                        fix: "check what came from outside, or replace what is no UTF-8"))
            }
        }
        return String(text)
    }

    /// Builders that were made and not consumed.
    enum Builders {
        private static let open = Locked<Set<UInt>>([])

        static func make() -> OpaquePointer {
            let handle = ValueBuilder.makeHandle()
            open.withLock { _ = $0.insert(UInt(bitPattern: handle)) }
            return handle
        }

        static func borrow(_ handle: OpaquePointer?, _ function: String) -> ValueBuilder? {
            guard let handle else { return nil }
            guard open.withLock({ $0.contains(UInt(bitPattern: handle)) }) else {
                tell("called mh.value.\(function) with a builder that was consumed before")
                return nil
            }
            return ValueBuilder.borrow(handle)
        }

        /// NULL is an empty map.
        static func consume(_ handle: OpaquePointer?, _ function: String) -> Value {
            guard let handle else { return .map([]) }
            guard open.withLock({ $0.remove(UInt(bitPattern: handle)) }) != nil else {
                tell("gave \(function) a builder that was consumed before")
                return .map([])
            }
            return ValueBuilder.consume(handle)
        }

        /// How many are left; they count no longer.
        static func takeForgotten() -> Int {
            open.withLock { open in
                defer { open = [] }
                return open.count
            }
        }

        private static func tell(_ found: String) {
            TrialPipe.tell(
                TrialFault(
                    found, expected: "a builder ends in the call that consumes it, or in discard (mediahost/value.h)",
                    fix: "build a new one for each call"))
        }
    }
}
