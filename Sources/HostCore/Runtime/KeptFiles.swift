internal import CGLib
internal import Glibc
import Locking

/// File descriptors that outlive this process: a service manager holds them and gives them back at the next start.
///
/// systemd's file descriptor store, by sd_pid_notify_with_fds(3)'s and sd_listen_fds(3)'s protocols. A name there is
/// `mediahost/INSTANCE/NAME`.
/// Lock order: `files` is a leaf.
/// - Thread: any.
public final class KeptFiles: Sendable {
    enum Failure: Error, Equatable {
        /// Nobody is there who would hold it.
        case unsupported
        /// It is no name, or no descriptor.
        case invalid
        case notFound
        case failed(String)
    }

    private static let prefix = "mediahost/"
    /// The first descriptor that is handed over.
    private static let first: Int32 = 3

    private let notifier: ServiceNotifier?
    /// By their full names; each is this object's.
    private let files: Locked<[String: Int32]>

    /// Takes over what the service manager hands to this process.
    /// - Parameter process: descriptors that are meant for another one are left alone.
    public init(environment: [String: String], process: Int32) {
        notifier = environment["NOTIFY_SOCKET"].flatMap { try? ServiceNotifier(socket: $0) }
        files = Locked(notifier == nil ? [:] : Self.handedOver(environment, process))
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
            guard name.hasPrefix(prefix), mh_file_flags(file) >= 0 else { continue }
            // Of two of one name the later was kept later.
            if let older = found[name] { close(older) }
            found[name] = file
        }
        return found
    }

    /// Whether somebody is there who would hold a file.
    var isAvailable: Bool { notifier != nil }

    func keep(_ file: Int32, _ name: String, of instance: String) throws(Failure) {
        let (name, notifier) = try fullName(name, instance)
        let copy = mh_file_copy(file)
        guard copy >= 0 else { throw .invalid }
        let older = files.withLock { $0.removeValue(forKey: name) }
        if let older {
            close(older)
            try send(notifier, ["FDSTOREREMOVE=1", "FDNAME=\(name)"])
        }
        do throws(Failure) {
            // Not dropped when it reports an error: what is kept is a file and no connection.
            try send(notifier, ["FDSTORE=1", "FDNAME=\(name)", "FDPOLL=0"], file: copy)
        } catch {
            close(copy)
            throw error
        }
        files.withLock { $0[name] = copy }
    }

    func take(_ name: String, of instance: String) throws(Failure) -> Int32 {
        let (name, _) = try fullName(name, instance)
        // Under the lock: nobody may close it meanwhile.
        let copy = files.withLock { files in files[name].map { mh_file_copy($0) } }
        guard let copy else { throw .notFound }
        guard copy >= 0 else { throw .failed("no descriptor is left: \(String(cString: strerror(errno)))") }
        return copy
    }

    func drop(_ name: String, of instance: String) throws(Failure) {
        let (name, notifier) = try fullName(name, instance)
        guard let file = files.withLock({ $0.removeValue(forKey: name) }) else { throw .notFound }
        close(file)
        try send(notifier, ["FDSTOREREMOVE=1", "FDNAME=\(name)"])
    }

    /// Lets go of what other instances than these kept.
    /// - Returns: their names.
    func forget(allBut instances: [String]) -> [String] {
        guard let notifier else { return [] }
        let gone = files.withLock { files in
            let gone = files.filter { entry in !instances.contains { entry.key.hasPrefix("\(Self.prefix)\($0)/") } }
            for name in gone.keys { files[name] = nil }
            return gone
        }
        for (name, file) in gone {
            close(file)
            try? send(notifier, ["FDSTOREREMOVE=1", "FDNAME=\(name)"])
        }
        return gone.keys.map { String($0.dropFirst(Self.prefix.count)) }.sorted()
    }

    private func fullName(_ name: String, _ instance: String) throws(Failure) -> (String, ServiceNotifier) {
        let isName =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        guard isName else { throw .invalid }
        guard let notifier else { throw .unsupported }
        return ("\(Self.prefix)\(instance)/\(name)", notifier)
    }

    /// A manager that is behind gets some time: what is sent here cannot be sent later.
    private func send(_ notifier: ServiceNotifier, _ lines: [String], file: Int32? = nil) throws(Failure) {
        for attempt in 0..<5 {
            do throws(ServiceNotifier.Failure) {
                return try notifier.send(lines, file: file)
            } catch {
                switch error {
                case .full where attempt < 4: usleep(20_000)
                case .full: break
                case .errno(let number):
                    throw .failed("the service manager's socket does not take it: \(String(cString: strerror(number)))")
                }
            }
        }
        throw .failed("the service manager does not read its messages")
    }
}
