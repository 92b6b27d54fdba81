internal import CGLib
internal import Glibc

/// How programs of the host are started: in a session of their own, which what ends the host's group leaves alone, with no signal
/// blocked and none handled.
enum OwnSession {
    /// - Parameter body: starts one with these attributes, which go with it.
    static func withAttributes<Result>(_ body: (inout posix_spawnattr_t) -> Result) -> Result {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | mh_spawn_new_session())
        return body(&attributes)
    }
}
