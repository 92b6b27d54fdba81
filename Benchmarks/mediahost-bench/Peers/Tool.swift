import Foundation

/// A program that somebody else wrote.
enum Tool {
    /// - Returns: nil where it is not on PATH.
    static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    static func path(_ name: String) throws -> String {
        guard let path = find(name) else { throw BenchError("\(name) is not on PATH") }
        return path
    }
}
