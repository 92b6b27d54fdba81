/// A map under construction by a plugin. One thread at a time; consumed by the call it is given to.
final class ValueBuilder {
    /// A map or a list that is not closed yet.
    private struct Open {
        let key: String
        let isMap: Bool
        var members: [Value.Member] = []
        var items: [Value] = []
        /// Where a key is; only for maps in which looking for it would take long.
        var places: [String: Int] = [:]

        var value: Value { isMap ? .map(members) : .list(items) }

        /// A key that is put twice has its last value.
        mutating func put(_ key: String, _ value: Value) {
            guard isMap else { return items.append(value) }
            if let place = place(of: key) {
                members[place].value = value
            } else {
                if !places.isEmpty { places[key] = members.count }
                members.append(.init(key, value))
            }
        }

        private mutating func place(of key: String) -> Int? {
            guard members.count >= Self.few else { return members.firstIndex { $0.key == key } }
            if places.isEmpty {
                for (index, member) in members.enumerated() { places[member.key] = index }
            }
            return places[key]
        }

        private static let few = 16
    }

    /// Deeper nesting is a plugin's mistake; what is put there is left out.
    private static let deepest = 64
    private var stack = [Open(key: "", isMap: true)]
    private var tooDeep = 0

    func put(_ key: String, _ value: Value) {
        // In place: a copy for each value would be all of them again.
        if tooDeep == 0 { stack[stack.count - 1].put(key, value) }
    }

    func openMap(_ key: String) { open(Open(key: key, isMap: true)) }
    func openList(_ key: String) { open(Open(key: key, isMap: false)) }

    /// Closes the innermost map or list; the root stays open until `finish`.
    func close() {
        if tooDeep > 0 {
            tooDeep -= 1
            return
        }
        guard stack.count > 1, let top = stack.popLast() else { return }
        put(top.key, top.value)
    }

    /// The whole map; what is still open is closed.
    func finish() -> Value {
        tooDeep = 0
        while stack.count > 1 { close() }
        return stack.first?.value ?? .map([])
    }

    private func open(_ open: Open) {
        guard tooDeep == 0, stack.count < Self.deepest else {
            tooDeep += 1
            return
        }
        stack.append(open)
    }
}

extension ValueBuilder {
    /// A new builder, owned by whoever holds the handle.
    static func makeHandle() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(ValueBuilder()).toOpaque()) }

    static func borrow(_ handle: OpaquePointer?) -> ValueBuilder? {
        handle.map { Unmanaged<ValueBuilder>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    /// Ends the handle. NULL is an empty map.
    static func consume(_ handle: OpaquePointer?) -> Value {
        guard let handle else { return .map([]) }
        return Unmanaged<ValueBuilder>.fromOpaque(UnsafeRawPointer(handle)).takeRetainedValue().finish()
    }
}
