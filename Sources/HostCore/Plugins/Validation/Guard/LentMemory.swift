internal import CMemory
internal import PluginABI
import Locking

/// What one call lends to a plugin: memory that nobody can read when the call has returned.
///
/// - Thread: one at a time.
// Whoever made it has it alone until it is ended.
final class LentMemory: @unchecked Sendable {
    private let start: UnsafeMutableRawPointer?
    private let size: Int
    private var used = 0
    private var nodes: [UInt] = []

    /// - Parameter what: "the parameters of invoke"; few different ones, kept for the life of the process.
    init(_ what: String, size: Int) {
        self.size = size
        start = mh_lend(size, Self.immortal(what))
    }

    /// Nothing of it can be read from here on.
    func end() {
        LentValues.forget(nodes)
        nodes = []
        mh_lend_end(start)
    }

    /// Lends for the time of `body`.
    static func during<Result>(_ what: String, size: Int, _ body: (LentMemory) -> Result) -> Result {
        let memory = LentMemory(what, size: size)
        defer { memory.end() }
        return body(memory)
    }

    // MARK: - What is put there

    /// What a text takes.
    static func size(_ text: String) -> Int { text.utf8.count + 32 }

    /// What a tree takes.
    static func size(_ value: Value) -> Int {
        switch value {
        case .null, .bool, .int, .double: 32
        case .string(let text): 32 + size(text)
        case .list(let items): items.reduce(32) { $0 + size($1) }
        case .map(let members): members.reduce(32) { $0 + size($1.value) + size($1.key) }
        }
    }

    func put<Table>(_ table: Table) -> UnsafeMutablePointer<Table>? {
        guard let place = take(MemoryLayout<Table>.size) else { return nil }
        let pointer = place.bindMemory(to: Table.self, capacity: 1)
        pointer.initialize(to: table)
        return pointer
    }

    func put(_ text: String) -> mh_str_1 {
        let bytes = Array(text.utf8)
        guard let place = take(bytes.count + 1) else { return mh_str_1() }
        place.copyMemory(from: bytes, byteCount: bytes.count)
        place.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        return mh_str_1(ptr: UnsafePointer(place.assumingMemoryBound(to: CChar.self)), len: bytes.count)
    }

    func put(_ bytes: [UInt8]) -> UnsafePointer<UInt8>? {
        guard let place = take(max(1, bytes.count)) else { return nil }
        place.copyMemory(from: bytes, byteCount: bytes.count)
        return UnsafePointer(place.assumingMemoryBound(to: UInt8.self))
    }

    /// A tree that the guard's value functions read.
    func put(_ value: Value) -> OpaquePointer? {
        let node = build(value)
        LentValues.remember(node, &nodes)
        return node.handle
    }

    private func build(_ value: Value) -> LentValue {
        let handle = take(16).map { OpaquePointer($0) }
        switch value {
        case .list(let items): return LentValue(value, handle, children: items.map(build))
        case .map(let members):
            return LentValue(
                value, handle, children: members.map { build($0.value) }, texts: members.map { put($0.key) })
        case .string(let text): return LentValue(value, handle, texts: [put(text)])
        case .null, .bool, .int, .double: return LentValue(value, handle)
        }
    }

    private func take(_ count: Int) -> UnsafeMutableRawPointer? {
        let place = (used + 15) & ~15
        guard let start, place + count <= size else { return nil }
        used = place + count
        return start + place
    }

    private static let texts = Locked<[String: Name]>([:])

    // Written once, never freed.
    private struct Name: @unchecked Sendable { let text: UnsafePointer<CChar> }

    private static func immortal(_ text: String) -> UnsafePointer<CChar> {
        texts.withLock { known in
            if let name = known[text] { return name.text }
            let characters = text.utf8CString
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
            for (index, character) in characters.enumerated() { copy[index] = character }
            known[text] = Name(text: UnsafePointer(copy))
            return UnsafePointer(copy)
        }
    }
}

/// One node of a lent tree. Its address is a handle only: what the plugin knows of it comes from the functions.
// Constant after init.
final class LentValue: @unchecked Sendable {
    let value: Value
    let handle: OpaquePointer?
    let children: [LentValue]
    let texts: [mh_str_1]

    init(_ value: Value, _ handle: OpaquePointer?, children: [LentValue] = [], texts: [mh_str_1] = []) {
        self.value = value
        self.handle = handle
        self.children = children
        self.texts = texts
    }
}

/// All nodes that are lent now, by their address: the functions that read them are given nothing else.
///
/// Lock order: a leaf.
enum LentValues {
    private static let nodes = Locked<[UInt: LentValue]>([:])

    /// What a handle is.
    enum Found {
        case node(LentValue)
        /// NULL, or lent before: that is told.
        case nothing
        /// Of an extension that the guard does not stand before.
        case foreign
    }

    static func remember(_ root: LentValue, _ addresses: inout [UInt]) {
        var all: [LentValue] = [root]
        var index = 0
        while index < all.count {
            all += all[index].children
            index += 1
        }
        let known = all.filter { $0.handle != nil }
        let keys = known.map { UInt(bitPattern: $0.handle) }
        addresses += keys
        nodes.withLock { nodes in for (key, node) in zip(keys, known) { nodes[key] = node } }
    }

    static func forget(_ addresses: [UInt]) {
        guard !addresses.isEmpty else { return }
        nodes.withLock { nodes in for address in addresses { nodes[address] = nil } }
    }

    static func find(_ handle: OpaquePointer?) -> Found {
        guard let handle else { return .nothing }
        if let node = nodes.withLock({ $0[UInt(bitPattern: handle)] }) { return .node(node) }
        var what: UnsafePointer<CChar>?
        guard mh_lent(UnsafeRawPointer(handle), &what) != Int32(MH_LENT_NOT) else { return .foreign }
        TrialPipe.tell(
            TrialFault(
                "read \(what.map { String(cString: $0) } ?? "a value") with a function of mh.value after that call had returned",
                expected: "a value is valid as long as the call that gave its root (mediahost/value.h)",
                fix: "copy the numbers and texts that are kept before the call returns"))
        return .nothing
    }
}
