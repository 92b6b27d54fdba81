internal import CGLib

/// How much memory the host could take now without the kernel having to take it from somebody else.
public struct AvailableMemory: Sendable, Equatable {
    public var bytes: Int64
    /// What limits it, for messages: "this board" or "the control group /system.slice/mediahost.service".
    public var limitedBy: String

    /// The smaller of what the board and what the process's control groups (version 2) have left; nil where the kernel
    /// tells neither.
    /// - Parameter read: the text of a file, nil where there is none.
    public static func read(_ read: (String) -> String? = fileText) -> AvailableMemory? {
        let board = read("/proc/meminfo").flatMap { available(meminfo: $0) }
            .map { AvailableMemory(bytes: $0, limitedBy: "this board") }
        let groups = read("/proc/self/cgroup").map { paths(cgroup: $0) } ?? []
        let all = [board].compactMap { $0 } + groups.compactMap { group(at: $0, read) }
        return all.min { $0.bytes < $1.bytes }
    }

    /// MemAvailable: free memory and what caches would give back (proc_meminfo(5)).
    static func available(meminfo: String) -> Int64? {
        let line = meminfo.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        let words = line?.split(separator: " ") ?? []
        guard words.count >= 2, let kilobytes = Int64(words[1]), kilobytes <= Int64.max >> 10 else { return nil }
        return kilobytes << 10
    }

    /// The group of the process and those around it, innermost first: each may have a limit.
    static func paths(cgroup: String) -> [String] {
        guard let line = cgroup.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        var parts = line.dropFirst(4).split(separator: "/")
        var found: [String] = []
        while !parts.isEmpty {
            found.append("/" + parts.joined(separator: "/"))
            parts.removeLast()
        }
        return found
    }

    private static func group(at path: String, _ read: (String) -> String?) -> AvailableMemory? {
        func number(_ name: String) -> Int64? {
            read("/sys/fs/cgroup\(path)/\(name)").flatMap { Int64($0.prefix { $0 != "\n" }) }
        }
        // "max" is no number: no limit. Above `high` the kernel slows the group down, which media does not survive.
        guard let limit = [number("memory.max"), number("memory.high")].compactMap({ $0 }).min() else { return nil }
        let used = number("memory.current") ?? 0
        let statistics = read("/sys/fs/cgroup\(path)/memory.stat")?.split(separator: "\n") ?? []
        // Cached files count as used, and go when memory is wanted.
        let line = statistics.first { $0.hasPrefix("inactive_file ") }
        let reclaimable = line.flatMap { Int64($0.dropFirst("inactive_file ".count)) } ?? 0
        return AvailableMemory(
            bytes: max(0, limit - max(0, used - reclaimable)), limitedBy: "the control group \(path)")
    }

    /// A small file of the kernel's.
    public static func fileText(_ path: String) -> String? {
        var contents: UnsafeMutablePointer<gchar>?
        var length: gsize = 0
        guard g_file_get_contents(path, &contents, &length, nil) != 0, let contents else { return nil }
        defer { g_free(contents) }
        return String(cString: contents)
    }
}
