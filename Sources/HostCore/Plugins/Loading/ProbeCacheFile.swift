internal import CGLib
internal import Glibc

/// The file of a `ProbeCache`. A place that cannot be read or written is a cache that is always empty.
struct ProbeCacheFile: Sendable {
    /// Nil: nothing is kept.
    var path: String?
    var log: Log

    private static let mostBytes = 8 << 20

    /// The host's version and ABI: what they refuse changes with them.
    static let host = "\(HostVersion.text) abi \(HostInterface.abiMajor).\(HostInterface.abiMinor)"

    /// In systemd's `$CACHE_DIRECTORY`, else in the state directory.
    init(environment: [String: String], log: Log) {
        var directory = StateDirectory.path(environment: environment)
        if let cache = environment["CACHE_DIRECTORY"], cache.utf8.first == UInt8(ascii: "/") {
            directory = String(cache.prefix { $0 != ":" })
        }
        self.init(path: directory.map { "\($0)/plugins.json" }, log: log)
    }

    init(path: String?, log: Log) {
        self.path = path
        self.log = log
    }

    /// - Thread: worker.
    func read() -> ProbeCache {
        guard let path, let bytes = try? TextFile.read(path, most: Self.mostBytes, mayWait: false).bytes else {
            return ProbeCache(host: Self.host)
        }
        return ProbeCache(text: String(decoding: bytes, as: UTF8.self), host: Self.host)
    }

    /// Adds one answer to what is there now: another host may have written meanwhile.
    /// - Thread: worker.
    func keep(_ entry: ProbeCache.Entry) {
        guard let path else { return }
        var cache = read()
        cache.keep(entry)
        do throws(PluginFailure) {
            try write(cache.text, to: path)
        } catch {
            log.debug("what the probe of \(entry.identity.path) found is not kept: \(error.message)")
        }
    }

    /// Into a file beside it, which then takes its place: no reader sees half of it.
    private func write(_ text: String, to path: String) throws(PluginFailure) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard g_mkdir_with_parents(directory, 0o700) == 0 else {
            throw PluginFailure("cannot make \(directory): \(String(cString: strerror(errno)))")
        }
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        var text = text
        let isWritten = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: gchar.self) {
                g_file_set_contents_full(
                    path, $0.baseAddress, gssize($0.count), G_FILE_SET_CONTENTS_CONSISTENT, 0o600, &failure)
            }
        }
        guard isWritten != 0 else {
            throw PluginFailure(failure.map { String(cString: $0.pointee.message) } ?? "cannot write \(path)")
        }
    }
}
