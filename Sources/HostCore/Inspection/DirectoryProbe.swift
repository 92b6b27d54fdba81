internal import Glibc

/// The places that the host writes to: the control socket's directory and the state directory.
public struct DirectoryProbe: Sendable {
    public struct Place: Sendable, Equatable {
        /// What it is for: "control socket".
        public var purpose: String
        /// The directory.
        public var path: String
        /// The nearest directory on the way there that exists: itself, where it does.
        public var existing: String
        public var isDirectory: Bool
        /// Whether this user may make files in `existing`.
        public var isWritable: Bool
        /// Free space in it, where it can be told.
        public var freeBytes: Int64?

        public init(
            purpose: String, path: String, existing: String, isDirectory: Bool = true, isWritable: Bool,
            freeBytes: Int64? = nil
        ) {
            self.purpose = purpose
            self.path = path
            self.existing = existing
            self.isDirectory = isDirectory
            self.isWritable = isWritable
            self.freeBytes = freeBytes
        }
    }

    /// The socket's path, or why there is none.
    public var socket: Result<String, ControlError>
    public var places: [Place]

    static let topic = "permissions"
    static let leastFreeBytes: Int64 = 64 << 20

    public init(socket: Result<String, ControlError>, places: [Place]) {
        self.socket = socket
        self.places = places
    }

    /// - Parameter socket: the config's own.
    /// - Thread: worker.
    static func gather(_ environment: [String: String], socket given: String?) -> DirectoryProbe {
        let socket = Result { () throws(ControlError) in
            let path = if let given { given } else { try ControlSocket.defaultPath { environment[$0] } }
            try ControlSocket.requireUsable(path)
            return path
        }
        var places: [Place] = []
        if case .success(let path) = socket {
            places.append(place("control socket", ControlSocket.directory(of: path)))
        }
        if let state = StateDirectory.path(environment: environment) { places.append(place("state", state)) }
        return DirectoryProbe(socket: socket, places: places)
    }

    public func judge() -> [Finding] {
        var found: [Finding] = []
        if case .failure(let error) = socket {
            found.append(
                Finding(Self.topic, .error, error.message, fix: "name another socket: `control: { socket: PATH }`"))
        }
        return found + places.map(judge)
    }

    private func judge(_ place: Place) -> Finding {
        guard place.isDirectory else {
            return Finding(
                Self.topic, .error,
                "\(place.path) (\(place.purpose)) cannot be used: \(place.existing) is no directory",
                fix: "remove the file, or name another place")
        }
        guard place.isWritable else {
            let text =
                place.path == place.existing
                ? "no permission to write to \(place.path) (\(place.purpose))"
                : "\(place.path) (\(place.purpose)) does not exist, and there is no permission to make it in \(place.existing)"
            return Finding(
                Self.topic, .error, text, fix: "`sudo install -d -o $USER \(place.path)`, or run as a user who may")
        }
        if let free = place.freeBytes, free < Self.leastFreeBytes {
            return Finding(
                Self.topic, .warning, "only \(free >> 20) MiB are free in \(place.existing) (\(place.purpose))",
                fix: "make room, or use a directory on another disk")
        }
        let made = place.path == place.existing ? "" : ", to be made in \(place.existing)"
        return Finding(Self.topic, .ok, "\(place.purpose): \(place.path)\(made)")
    }

    private static func place(_ purpose: String, _ path: String) -> Place {
        var existing = path
        var info = stat()
        while existing != "/", existing != ".", stat(existing, &info) != 0 {
            existing = ControlSocket.directory(of: existing)
        }
        let isDirectory = stat(existing, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        var space = statvfs()
        // The kernel's own file systems have no blocks.
        let isKnown = statvfs(existing, &space) == 0 && space.f_blocks > 0
        let free = Int64(clamping: UInt64(space.f_bavail) &* UInt64(space.f_frsize))
        return Place(
            purpose: purpose, path: path, existing: existing, isDirectory: isDirectory,
            isWritable: access(existing, W_OK | X_OK) == 0, freeBytes: isKnown ? free : nil)
    }
}
