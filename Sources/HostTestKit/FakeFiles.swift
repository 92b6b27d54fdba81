internal import Locking
internal import PluginABI

/// What stands behind `mh.fd.draft/1` of a fake host: nothing is polled, `FakeInstance.signal` says what is ready.
///
/// Lock order: `state` is a leaf.
final class FakeFiles: Sendable {
    private struct State: Sendable {
        var watched: [Int32: UInt32] = [:]
        /// Active, or in `activate`.
        var isOpen = false
    }

    private let state = Locked(State())
    private static let known = UInt32(MH_FD_READABLE | MH_FD_WRITABLE | MH_FD_ERROR | MH_FD_HUNG_UP)
    private static let always = UInt32(MH_FD_ERROR | MH_FD_HUNG_UP)

    var watched: [Int32: UInt32] { state.withLock { $0.watched } }

    func open() { state.withLock { $0.isOpen = true } }

    func endAll() { state.withLock { $0 = State() } }

    /// What of `events` the plugin is to be told; 0: nothing.
    func wanted(_ events: UInt32, of file: Int32) -> UInt32 {
        state.withLock { $0.watched[file].map { events & ($0 | Self.always) } ?? 0 }
    }

    private func watch(_ file: Int32, _ interest: UInt32) -> mh_status {
        guard file >= 0, interest & ~Self.known == 0 else { return mh_status(truncatingIfNeeded: MH_E_INVALID) }
        return state.withLock { state in
            guard state.isOpen else { return mh_status(truncatingIfNeeded: MH_E_STATE) }
            guard state.watched[file] == nil else { return mh_status(truncatingIfNeeded: MH_E_BUSY) }
            guard state.watched.count < 64 else { return mh_status(truncatingIfNeeded: MH_E_LIMIT) }
            state.watched[file] = interest
            return 0
        }
    }

    private func modify(_ file: Int32, _ interest: UInt32) -> mh_status {
        guard interest & ~Self.known == 0 else { return mh_status(truncatingIfNeeded: MH_E_INVALID) }
        return state.withLock { state in
            guard state.isOpen else { return mh_status(truncatingIfNeeded: MH_E_STATE) }
            guard state.watched[file] != nil else { return mh_status(truncatingIfNeeded: MH_E_NOT_FOUND) }
            state.watched[file] = interest
            return 0
        }
    }

    private func unwatch(_ file: Int32) -> mh_status {
        state.withLock { state in
            state.watched.removeValue(forKey: file) == nil ? mh_status(truncatingIfNeeded: MH_E_NOT_FOUND) : 0
        }
    }

    static func table() -> mh_fd_host_1 {
        mh_fd_host_1(
            watch: { FakeHost.of($0)?.files.watch($1, $2) ?? mh_status(truncatingIfNeeded: MH_E_INVALID) },
            modify: { FakeHost.of($0)?.files.modify($1, $2) ?? mh_status(truncatingIfNeeded: MH_E_INVALID) },
            unwatch: { FakeHost.of($0)?.files.unwatch($1) ?? mh_status(truncatingIfNeeded: MH_E_INVALID) })
    }
}

extension FakeInstance {
    /// Says that a file descriptor is ready (`MH_FD_` bits). The plugin is told what it asked for, and errors and hang-ups.
    /// - Returns: whether it was told.
    @discardableResult
    public func signal(_ file: Int32, _ events: UInt32) throws(Broken) -> Bool {
        let table = try table(MH_EXT_FD, as: mh_fd_plugin_1.self)
        let wanted = fake.files.wanted(events, of: file)
        guard wanted != 0 else { return false }
        table.pointee.on_fd?(plugin, file, wanted)
        return true
    }
}
