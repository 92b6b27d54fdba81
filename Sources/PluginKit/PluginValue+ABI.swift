import PluginABI

extension PluginValue {
    /// The host refuses deeper trees; this only bounds the recursion.
    private static let deepest = 256

    /// Copies a borrowed tree.
    /// - Thread: any.
    init(copying value: OpaquePointer?, with table: UnsafePointer<mh_value_ext_1>, depth: Int = 0) {
        guard let value, depth < Self.deepest, let type = table.pointee.type?(value) else {
            self = .null
            return
        }
        switch Int(type) {
        case Int(MH_VALUE_BOOL): self = .bool((table.pointee.as_bool?(value) ?? 0) != 0)
        case Int(MH_VALUE_INT): self = .int(table.pointee.as_int?(value) ?? 0)
        case Int(MH_VALUE_DOUBLE): self = .double(table.pointee.as_double?(value) ?? 0)
        case Int(MH_VALUE_STRING): self = .string(String(table.pointee.as_string?(value) ?? mh_str_1()))
        case Int(MH_VALUE_LIST):
            self = .list(
                (0..<(table.pointee.count?(value) ?? 0)).map { index in
                    PluginValue(copying: table.pointee.item?(value, index), with: table, depth: depth + 1)
                })
        case Int(MH_VALUE_MAP):
            self = .map(
                (0..<(table.pointee.count?(value) ?? 0)).map { index in
                    Member(
                        String(table.pointee.key?(value, index) ?? mh_str_1()),
                        PluginValue(copying: table.pointee.item?(value, index), with: table, depth: depth + 1))
                })
        default: self = .null
        }
    }

    /// The tree as a new builder, to be given to the host call that consumes it, or NULL if the host has no memory.
    /// A root that is no map goes out as `{value: root}`: only maps cross.
    /// - Thread: any.
    func build(with table: UnsafePointer<mh_value_ext_1>) -> OpaquePointer? {
        guard let builder = table.pointee.build?() else { return nil }
        if case .map(let members) = self {
            for member in members { member.value.put(under: member.key, into: builder, table) }
        } else {
            put(under: "value", into: builder, table)
        }
        return builder
    }

    private func put(under key: String, into builder: OpaquePointer, _ table: UnsafePointer<mh_value_ext_1>) {
        key.withText { key in
            switch self {
            case .null: table.pointee.put_null?(builder, key)
            case .bool(let value): table.pointee.put_bool?(builder, key, value ? 1 : 0)
            case .int(let value): table.pointee.put_int?(builder, key, value)
            case .double(let value): table.pointee.put_double?(builder, key, value)
            case .string(let value): value.withText { table.pointee.put_string?(builder, key, $0) }
            case .list(let items):
                table.pointee.open_list?(builder, key)
                for item in items { item.put(under: "", into: builder, table) }
                table.pointee.close?(builder)
            case .map(let members):
                table.pointee.open_map?(builder, key)
                for member in members { member.value.put(under: member.key, into: builder, table) }
                table.pointee.close?(builder)
            }
        }
    }
}
