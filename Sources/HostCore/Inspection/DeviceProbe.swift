internal import CGLib
internal import Glibc
public import GStreamerKit

/// The device files of cameras, sound and graphics, whether this user may use them, and what GStreamer finds there.
public struct DeviceProbe: Sendable {
    public struct Node: Sendable, Equatable {
        public var path: String
        public var owner: String
        public var group: String
        public var isUsable: Bool

        public init(path: String, owner: String, group: String, isUsable: Bool) {
            self.path = path
            self.owner = owner
            self.group = group
            self.isUsable = isUsable
        }
    }

    public var user: String
    public var nodes: [Node]
    public var devices: [Device]

    static let topic = "devices"
    private static let families = [
        (prefix: "/dev/video", what: "camera or video codec"), (prefix: "/dev/snd/", what: "sound card"),
        (prefix: "/dev/dri/", what: "graphics"),
    ]

    public init(user: String, nodes: [Node], devices: [Device]) {
        self.user = user
        self.nodes = nodes
        self.devices = devices
    }

    /// - Thread: worker, after `GStreamer.start`.
    static func gather() -> DeviceProbe {
        let paths =
            names("/dev").filter { $0.hasPrefix("video") }.map { "/dev/\($0)" }
            + names("/dev/snd").filter { $0.hasPrefix("pcm") || $0.hasPrefix("control") }.map { "/dev/snd/\($0)" }
            + names("/dev/dri").filter { $0.hasPrefix("card") || $0.hasPrefix("render") }.map { "/dev/dri/\($0)" }
        return DeviceProbe(
            user: String(cString: g_get_user_name()), nodes: paths.sorted().compactMap(node),
            devices: DeviceMonitor.devices())
    }

    public func judge() -> [Finding] {
        var found: [Finding] = []
        for family in Self.families {
            let all = nodes.filter { $0.path.hasPrefix(family.prefix) }
            let refused = all.filter { !$0.isUsable }
            if all.isEmpty { found.append(Finding(Self.topic, .ok, "no \(family.what) (\(family.prefix)*)")) }
            if !all.isEmpty, refused.isEmpty {
                found.append(Finding(Self.topic, .ok, "\(family.what): \(list(all)), readable and writable"))
            }
            for group in Set(refused.map(\.group)).sorted() {
                found.append(refusal(of: refused.filter { $0.group == group }, group))
            }
        }
        for kind in Device.Kind.allCases {
            let names = devices.filter { $0.kind == kind && !$0.isMonitor }.map { "\($0.name) (\($0.factory))" }
            if !names.isEmpty {
                found.append(Finding(Self.topic, .ok, "\(kind.rawValue): \(names.joined(separator: ", "))"))
            }
        }
        return found
    }

    private func refusal(of nodes: [Node], _ group: String) -> Finding {
        // A group of root's own helps nobody: then it is a rule of udev's that is missing.
        let fix =
            group == "root"
            ? "a udev rule has to give them to a group: they belong to root alone"
            : "`sudo usermod -aG \(group) \(user)`, and log in again; for a service: `SupplementaryGroups=\(group)`"
        return Finding(Self.topic, .warning, "user \(user) may not use \(list(nodes)) (group \(group))", fix: fix)
    }

    private func list(_ nodes: [Node]) -> String { nodes.map(\.path).joined(separator: ", ") }

    private static func node(_ path: String) -> Node? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFCHR else { return nil }
        let owner = getpwuid(info.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(info.st_uid)"
        let group = getgrgid(info.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(info.st_gid)"
        return Node(path: path, owner: owner, group: group, isUsable: access(path, R_OK | W_OK) == 0)
    }

    private static func names(_ directory: String) -> [String] {
        guard let handle = g_dir_open(directory, 0, nil) else { return [] }
        defer { g_dir_close(handle) }
        var names: [String] = []
        while let name = g_dir_read_name(handle) { names.append(String(cString: name)) }
        return names
    }
}
