internal import PluginABI

extension HostInterface {
    /// mh.value.draft/1. - Thread: any.
    // Immortal, constant once made.
    static nonisolated(unsafe) let value = immortal(
        mh_value_ext_1(
            type: { type(of: ValueNode.from($0)) },
            as_bool: { ValueNode.from($0)?.value.bool == true ? 1 : 0 },
            as_int: { ValueNode.from($0)?.value.int ?? 0 },
            as_double: { ValueNode.from($0)?.value.double ?? 0 },
            as_string: { handle in
                guard let node = ValueNode.from(handle), case .string = node.value else { return mh_str_1() }
                return text(of: node, 0)
            },
            count: { ValueNode.from($0)?.children.count ?? 0 },
            item: { ValueNode.from($0)?.child(Int(clamping: $1))?.handle },
            key: { handle, index in
                guard let node = ValueNode.from(handle), case .map = node.value else { return mh_str_1() }
                return text(of: node, Int(clamping: index))
            },
            member: { ValueNode.from($0)?.member(String($1))?.handle },
            build: { ValueBuilder.makeHandle() },
            discard: { _ = ValueBuilder.consume($0) },
            put_null: { ValueBuilder.borrow($0)?.put(String($1), .null) },
            put_bool: { ValueBuilder.borrow($0)?.put(String($1), .bool($2 != 0)) },
            put_int: { ValueBuilder.borrow($0)?.put(String($1), .int($2)) },
            put_double: { ValueBuilder.borrow($0)?.put(String($1), .double($2)) },
            put_string: { ValueBuilder.borrow($0)?.put(String($1), .string(String($2))) },
            open_map: { ValueBuilder.borrow($0)?.openMap(String($1)) },
            open_list: { ValueBuilder.borrow($0)?.openList(String($1)) },
            close: { ValueBuilder.borrow($0)?.close() }))

    private static func type(of node: ValueNode?) -> mh_value_type {
        switch node?.value {
        case nil, .null: mh_value_type(MH_VALUE_NULL)
        case .bool: mh_value_type(MH_VALUE_BOOL)
        case .int: mh_value_type(MH_VALUE_INT)
        case .double: mh_value_type(MH_VALUE_DOUBLE)
        case .string: mh_value_type(MH_VALUE_STRING)
        case .list: mh_value_type(MH_VALUE_LIST)
        case .map: mh_value_type(MH_VALUE_MAP)
        }
    }

    private static func text(of node: ValueNode, _ index: Int) -> mh_str_1 {
        guard let text = node.text(index) else { return mh_str_1() }
        return mh_str_1(ptr: text.baseAddress, len: text.count)
    }
}
