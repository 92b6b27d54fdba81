internal import CGLib
internal import Glibc
import Locking

/// A service manager's file descriptor store: systemd's, by sd_pid_notify_with_fds(3)'s and sd_listen_fds(3)'s protocols.
///
/// Lock order: `files` is a leaf.
final class FileStore: FileHolder {
    /// The first descriptor that is handed over.
    private static let first: Int32 = 3

    private let notifier: ServiceNotifier
    /// By their full names; each is this object's.
    private let files: Locked<[String: Int32]>

    /// Takes over what the service manager hands to this process.
    init(_ notifier: ServiceNotifier, environment: [String: String], process: Int32) {
        self.notifier = notifier
        files = Locked(Self.handedOver(environment, process))
    }

    deinit { for file in files.withLock({ $0.values.map { $0 } }) { close(file) } }

    private static func handedOver(_ environment: [String: String], _ process: Int32) -> [String: Int32] {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...4096).contains(count)
        else { return [:] }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        var found: [String: Int32] = [:]
        for number in 0..<count {
            let file = first + number
            mh_file_close_on_exec(file)
            let name = names.indices.contains(Int(number)) ? String(names[Int(number)]) : ""
            guard name.hasPrefix(KeptFiles.prefix), mh_file_flags(file) >= 0 else { continue }
            // Of two of one name the later was kept later.
            if let older = found[name] { close(older) }
            found[name] = file
        }
        return found
    }

    var names: [String] { files.withLock { $0.keys.sorted() } }

    func put(_ file: Int32, _ name: String) throws(KeptFiles.Failure) {
        let copy = mh_file_copy(file)
        guard copy >= 0 else { throw Self.noneLeft }
        if let older = files.withLock({ $0.removeValue(forKey: name) }) {
            close(older)
            try send(["FDSTOREREMOVE=1", "FDNAME=\(name)"])
        }
        do throws(KeptFiles.Failure) {
            // Not dropped when it reports an error: what is kept is a file and no connection.
            try send(["FDSTORE=1", "FDNAME=\(name)", "FDPOLL=0"], file: copy)
        } catch {
            close(copy)
            throw error
        }
        files.withLock { $0[name] = copy }
    }

    func get(_ name: String) throws(KeptFiles.Failure) -> Int32 {
        // Under the lock: nobody may close it meanwhile.
        let copy = files.withLock { files in files[name].map { mh_file_copy($0) } }
        guard let copy else { throw .notFound }
        guard copy >= 0 else { throw Self.noneLeft }
        return copy
    }

    func remove(_ name: String) throws(KeptFiles.Failure) {
        guard let file = files.withLock({ $0.removeValue(forKey: name) }) else { throw .notFound }
        close(file)
        try send(["FDSTOREREMOVE=1", "FDNAME=\(name)"])
    }

    private static var noneLeft: KeptFiles.Failure {
        .failed("no descriptor is left: \(String(cString: strerror(errno)))")
    }

    /// A manager that is behind gets some time: what is sent here cannot be sent later.
    private func send(_ lines: [String], file: Int32? = nil) throws(KeptFiles.Failure) {
        do throws(ServiceNotifier.Failure) {
            try notifier.send(lines, file: file, wait: Self.patience)
        } catch {
            switch error {
            case .full: throw .failed("the service manager does not read its messages")
            case .errno(let number):
                throw .failed("the service manager's socket does not take it: \(String(cString: strerror(number)))")
            }
        }
    }

    /// In milliseconds.
    private static let patience: Int32 = 80
}
