internal import Locking
internal import PluginABI

/// What stands behind `mh.state-directory.draft/1` of a fake host: the directory that the test gives, or none.
///
/// Lock order: `path` is a leaf.
final class FakeStateDirectory: Sendable {
    // Written before the plugin sees it, freed with the host.
    private struct Text: @unchecked Sendable {
        let characters: UnsafeMutableBufferPointer<CChar>
    }

    /// All that were ever shown: a plugin may hold each as long as its host.
    private let texts = Locked<[Text]>([])
    private let isGiven = Locked(false)

    deinit { for text in texts.withLock({ $0 }) { text.characters.deallocate() } }

    func set(_ path: String?) {
        isGiven.withLock { $0 = path != nil }
        guard let path else { return }
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: path.utf8.count + 1)
        _ = copy.initialize(from: path.utf8CString)
        let text = Text(characters: copy)
        texts.withLock { $0.append(text) }
    }

    static func table() -> mh_state_directory_ext_1 {
        mh_state_directory_ext_1(path: { host, path in
            path?.pointee = mh_str_1()
            guard let directory = FakeHost.of(host)?.stateDirectory, directory.isGiven.withLock({ $0 }),
                let text = directory.texts.withLock({ $0.last })
            else { return mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED) }
            path?.pointee = mh_str_1(ptr: text.characters.baseAddress, len: text.characters.count - 1)
            return 0
        })
    }
}
