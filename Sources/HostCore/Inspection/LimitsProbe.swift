internal import CGLib
internal import Glibc

/// What the kernel allows this process: files, watches, priorities, memory.
public struct LimitsProbe: Sendable, Equatable {
    /// RLIMIT_NOFILE, soft and hard.
    public var files: Int64
    public var mostFiles: Int64
    public var inotifyInstances: Int64?
    /// RLIMIT_RTPRIO: 0 where no thread may have a real-time priority.
    public var realtimePriority: Int64
    public var memoryBytes: Int64?
    public var availableBytes: Int64?
    /// The memory controller's limit; nil without one.
    public var cgroupBytes: Int64?

    static let topic = "limits"
    /// 20 pipelines hold 47 descriptors (FACTS); cameras with DMA buffers hold one for each.
    static let enoughFiles: Int64 = 1024
    /// 20 pipelines with plugins need 24 MB, the rings of a replay the rest.
    static let leastBytes: Int64 = 48 << 20

    public init(
        files: Int64, mostFiles: Int64, inotifyInstances: Int64? = nil, realtimePriority: Int64 = 0,
        memoryBytes: Int64? = nil, availableBytes: Int64? = nil, cgroupBytes: Int64? = nil
    ) {
        self.files = files
        self.mostFiles = mostFiles
        self.inotifyInstances = inotifyInstances
        self.realtimePriority = realtimePriority
        self.memoryBytes = memoryBytes
        self.availableBytes = availableBytes
        self.cgroupBytes = cgroupBytes
    }

    /// - Thread: worker.
    static func gather() -> LimitsProbe {
        let files = limit(mh_limit_of_files)
        let memory = SmallFile.text("/proc/meminfo") ?? ""
        return LimitsProbe(
            files: files.soft, mostFiles: files.hard,
            inotifyInstances: SmallFile.number("/proc/sys/fs/inotify/max_user_instances"),
            realtimePriority: limit(mh_limit_of_realtime).hard, memoryBytes: kibibytes("MemTotal", in: memory),
            availableBytes: kibibytes("MemAvailable", in: memory), cgroupBytes: cgroupLimit())
    }

    public func judge() -> [Finding] {
        [judgeFiles(), judgeWatches(), judgePriority()].compactMap { $0 } + judgeMemory()
    }

    private func judgeFiles() -> Finding {
        let text = "\(Self.number(files)) open files (RLIMIT_NOFILE), at most \(Self.number(mostFiles))"
        guard mostFiles >= Self.enoughFiles else {
            return Finding(
                Self.topic, .warning, text + ": a pipeline needs several, 20 with cameras may need more",
                fix: "`LimitNOFILE=4096` in the unit, or `* hard nofile 4096` in /etc/security/limits.conf")
        }
        return Finding(Self.topic, .ok, text)
    }

    private func judgeWatches() -> Finding? {
        guard let inotifyInstances else { return nil }
        let text = "\(inotifyInstances) inotify instances per user"
        guard inotifyInstances < 64 else { return Finding(Self.topic, .ok, text) }
        return Finding(
            Self.topic, .warning, text + ": other programs of this user may use them up",
            fix: "`sudo sysctl fs.inotify.max_user_instances=128`")
    }

    private func judgePriority() -> Finding {
        guard realtimePriority == 0 else {
            return Finding(
                Self.topic, .ok, "real-time priorities up to \(Self.number(realtimePriority)) (RLIMIT_RTPRIO)")
        }
        return Finding(
            Self.topic, .ok, "no real-time priorities (RLIMIT_RTPRIO 0): only sound with a very low latency needs them",
            fix: "where it does: `LimitRTPRIO=95` in the unit")
    }

    private func judgeMemory() -> [Finding] {
        var found: [Finding] = []
        if let memoryBytes, let availableBytes {
            let text = "\(availableBytes >> 20) MiB of \(memoryBytes >> 20) MiB memory are available"
            found.append(
                availableBytes >= Self.leastBytes
                    ? Finding(Self.topic, .ok, text)
                    : Finding(
                        Self.topic, .warning, text, fix: "end other programs, or give plugins smaller rings (`memory:`)"
                    ))
        }
        if let cgroupBytes {
            let text = "the control group limits memory to \(cgroupBytes >> 20) MiB"
            found.append(
                cgroupBytes >= Self.leastBytes
                    ? Finding(Self.topic, .ok, text)
                    : Finding(
                        Self.topic, .warning, text, fix: "raise `MemoryMax=` of the unit, or the container's limit"))
        }
        return found
    }

    private static func number(_ value: Int64) -> String { value == .max ? "unlimited" : "\(value)" }

    private static func limit(_ ask: (UnsafeMutablePointer<rlimit>?) -> Int32) -> (soft: Int64, hard: Int64) {
        var found = rlimit()
        guard ask(&found) == 0 else { return (0, 0) }
        return (Int64(clamping: found.rlim_cur), Int64(clamping: found.rlim_max))
    }

    /// "MemTotal:       16374204 kB"
    static func kibibytes(_ key: String, in text: String) -> Int64? {
        for line in text.split(separator: "\n") where line.hasPrefix("\(key):") {
            let words = line.split(separator: " ")
            guard words.count > 1, let number = Int64(words[1]), number < 1 << 50 else { return nil }
            return number << 10
        }
        return nil
    }

    /// The smallest limit on the way from this process's group (cgroup v2) to the root.
    private static func cgroupLimit() -> Int64? {
        guard
            let line = SmallFile.text("/proc/self/cgroup")?.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }
            )
        else { return nil }
        var path = "/sys/fs/cgroup" + line.dropFirst(3)
        var least: Int64?
        while path.hasPrefix("/sys/fs/cgroup") {
            if let limit = SmallFile.number("\(path)/memory.max") { least = min(least ?? limit, limit) }
            path = ControlSocket.directory(of: path)
        }
        return least
    }
}
