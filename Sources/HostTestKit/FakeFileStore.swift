internal import CGLib
internal import Glibc
internal import Locking
internal import PluginABI

/// A service manager that holds files for plugins, beyond the life of their hosts: give it to one fake host after another.
///
/// Lock order: a leaf.
public final class FakeFileStore: Sendable {
    private let files = Locked<[String: Int32]>([:])

    public init() {}

    deinit { for file in files.withLock({ $0.values.map { $0 } }) { close(file) } }

    /// The names of what it holds, sorted.
    public var names: [String] { files.withLock { $0.keys.sorted() } }

    /// As a plugin would. False for what is no descriptor.
    public func keep(_ name: String, _ file: Int32) -> Bool {
        let copy = mh_file_copy(file)
        guard copy >= 0 else { return false }
        drop(name)
        files.withLock { $0[name] = copy }
        return true
    }

    /// Whether there was anything of that name.
    @discardableResult public func drop(_ name: String) -> Bool {
        guard let file = files.withLock({ $0.removeValue(forKey: name) }) else { return false }
        close(file)
        return true
    }

    /// A descriptor of the caller's; nil where nothing is kept.
    public func take(_ name: String) -> Int32? { files.withLock { files in files[name].map { mh_file_copy($0) } } }

    static func table() -> mh_fd_store_ext_1 {
        mh_fd_store_ext_1(
            keep: { host, name, file in
                guard let store = FakeHost.of(host)?.fileStore else {
                    return mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
                }
                return store.keep(FakeText.string(name), file) ? 0 : mh_status(truncatingIfNeeded: MH_E_INVALID)
            },
            take: { host, name, file in
                file?.pointee = -1
                guard let store = FakeHost.of(host)?.fileStore else {
                    return mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
                }
                guard let copy = store.take(FakeText.string(name)) else {
                    return mh_status(truncatingIfNeeded: MH_E_NOT_FOUND)
                }
                file?.pointee = copy
                return 0
            },
            drop: { host, name in
                guard let store = FakeHost.of(host)?.fileStore else {
                    return mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
                }
                return store.drop(FakeText.string(name)) ? 0 : mh_status(truncatingIfNeeded: MH_E_NOT_FOUND)
            })
    }
}
