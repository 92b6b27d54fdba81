import Foundation

/// A directory of one test, gone with the test. Short, since socket paths are.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = "/tmp/mh-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    func mode(_ name: String) throws -> Int {
        var info = stat()
        guard lstat(path(name), &info) == 0 else { throw POSIXError(.ENOENT) }
        return Int(info.st_mode & 0o777)
    }

    func exists(_ name: String) -> Bool { (try? mode(name)) != nil }
}
