internal import HostCore
internal import PluginABI
internal import Synchronization

/// A map under construction. Counts itself, so a test sees a builder that nobody consumed.
final class FakeBuilder {
    private struct Level {
        var key: String
        var isList: Bool
        var members: [Value.Member] = []

        var value: Value { isList ? .list(members.map(\.value)) : .map(members) }
    }

    static let alive = Atomic<Int>(0)
    private var levels = [Level(key: "", isList: false)]

    init() { Self.alive.add(1, ordering: .relaxed) }

    deinit { Self.alive.subtract(1, ordering: .relaxed) }

    static func make() -> OpaquePointer? { OpaquePointer(Unmanaged.passRetained(FakeBuilder()).toOpaque()) }

    @discardableResult static func consume(_ handle: OpaquePointer?) -> Value {
        guard let handle else { return .map([]) }
        let builder = Unmanaged<FakeBuilder>.fromOpaque(UnsafeRawPointer(handle)).takeRetainedValue()
        while builder.levels.count > 1 { builder.close() }
        return builder.levels[0].value
    }

    static func put(_ handle: OpaquePointer?, _ key: mh_str_1, _ value: Value) {
        of(handle)?.put(FakeText.string(key), value)
    }

    static func open(_ handle: OpaquePointer?, _ key: mh_str_1, list: Bool) {
        of(handle)?.levels.append(Level(key: FakeText.string(key), isList: list))
    }

    static func close(_ handle: OpaquePointer?) { of(handle)?.close() }

    private static func of(_ handle: OpaquePointer?) -> FakeBuilder? {
        handle.map { Unmanaged<FakeBuilder>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    private func put(_ key: String, _ value: Value) {
        levels[levels.count - 1].members.append(Value.Member(key, value))
    }

    private func close() {
        guard levels.count > 1, let level = levels.popLast() else { return }
        put(level.key, level.value)
    }
}
