/// A map under construction by a plugin. One thread at a time; consumed by the call it is given to.
final class ValueBuilder {
    private enum Open {
        case map(key: String, [Value.Member])
        case list(key: String, [Value])
    }

    /// Deeper nesting is a plugin's mistake; what is put there is left out.
    private static let deepest = 64
    private var stack: [Open] = [.map(key: "", [])]
    private var tooDeep = 0

    func put(_ key: String, _ value: Value) {
        guard tooDeep == 0, let top = stack.popLast() else { return }
        switch top {
        case .map(let name, var members):
            members.removeAll { $0.key == key }
            members.append(.init(key, value))
            stack.append(.map(key: name, members))
        case .list(let name, var items):
            items.append(value)
            stack.append(.list(key: name, items))
        }
    }

    func openMap(_ key: String) { open(.map(key: key, [])) }
    func openList(_ key: String) { open(.list(key: key, [])) }

    /// Closes the innermost map or list; the root stays open until `finish`.
    func close() {
        if tooDeep > 0 {
            tooDeep -= 1
            return
        }
        guard stack.count > 1, let top = stack.popLast() else { return }
        switch top {
        case .map(let key, let members): put(key, .map(members))
        case .list(let key, let items): put(key, .list(items))
        }
    }

    /// The whole map; what is still open is closed.
    func finish() -> Value {
        tooDeep = 0
        while stack.count > 1 { close() }
        guard case .map(_, let members)? = stack.first else { return .map([]) }
        return .map(members)
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
