internal import Glibc

/// File descriptors that outlive this process: somebody else holds them, and gives them back to the next one.
///
/// A service manager does where there is one, else a process of the host's own (`FileKeeper`). A full name is
/// `mediahost/INSTANCE/NAME`.
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

    static let prefix = "mediahost/"

    private let holder: (any FileHolder)?

    init(_ holder: (any FileHolder)?) { self.holder = holder }

    /// The one that the environment has room for.
    /// - Parameters:
    ///   - process: descriptors that are meant for another one are left alone.
    ///   - program: what is started as a keeper; nil: nothing is.
    public convenience init(environment: [String: String], process: Int32, program: String? = nil) {
        if let socket = environment["NOTIFY_SOCKET"], !socket.isEmpty {
            let notifier = try? ServiceNotifier(socket: socket)
            self.init(notifier.map { FileStore($0, environment: environment, process: process) })
        } else {
            self.init(program.flatMap { KeeperLink(environment: environment, program: $0) })
        }
    }

    func keep(_ file: Int32, _ name: String, of instance: String) throws(Failure) {
        let (name, holder) = try fullName(name, instance)
        guard fcntl(file, F_GETFD) >= 0 else { throw .invalid }
        try holder.put(file, name)
    }

    func take(_ name: String, of instance: String) throws(Failure) -> Int32 {
        let (name, holder) = try fullName(name, instance)
        return try holder.get(name)
    }

    func drop(_ name: String, of instance: String) throws(Failure) {
        let (name, holder) = try fullName(name, instance)
        try holder.remove(name)
    }

    /// Lets go of what other instances than these kept.
    /// - Returns: their names.
    func forget(allBut instances: [String]) -> [String] {
        guard let holder else { return [] }
        let gone = holder.names.filter { name in
            name.hasPrefix(Self.prefix) && !instances.contains { name.hasPrefix("\(Self.prefix)\($0)/") }
        }
        for name in gone { try? holder.remove(name) }
        return gone.map { String($0.dropFirst(Self.prefix.count)) }.sorted()
    }

    private func fullName(_ name: String, _ instance: String) throws(Failure) -> (String, any FileHolder) {
        let isName =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        guard isName else { throw .invalid }
        guard let holder else { throw .unsupported }
        return ("\(Self.prefix)\(instance)/\(name)", holder)
    }
}

/// Who holds files beyond the end of a process.
/// - Thread: any; short waits.
protocol FileHolder: Sendable {
    /// A duplicate of it; what was held under that name goes.
    func put(_ file: Int32, _ name: String) throws(KeptFiles.Failure)
    /// A descriptor of the caller's.
    func get(_ name: String) throws(KeptFiles.Failure) -> Int32
    func remove(_ name: String) throws(KeptFiles.Failure)
    var names: [String] { get }
}
