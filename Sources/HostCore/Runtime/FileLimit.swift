// Both see the names of limits; the compiler gives them to one of the two.
internal import CGLib
internal import Glibc

/// How many files the process may have open.
public enum FileLimit {
    /// Raises the soft limit to the hard one: twenty pipelines hold about fifty descriptors, clients and clips come on top,
    /// and the usual soft limit of 1024 is there only for programs that use select(2).
    /// - Returns: the limit that holds now.
    @discardableResult
    public static func raise() -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        guard limit.rlim_cur < limit.rlim_max else { return UInt64(limit.rlim_cur) }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return UInt64(isRaised ? limit.rlim_max : soft)
    }
}
