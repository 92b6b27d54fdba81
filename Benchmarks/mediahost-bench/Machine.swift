import Foundation

/// Where the figures come from.
struct Machine: Encodable {
    let cpu: String
    let cores: Int
    let load: String
    let kernel: String
    let gstreamer: String
    let swift: String
    let commit: String

    init() {
        let info = Self.file("/proc/cpuinfo").split(separator: "\n")
        cpu =
            info.first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
            .flatMap { $0.split(separator: ":").last }
            .map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        cores = ProcessInfo.processInfo.activeProcessorCount
        load = Self.file("/proc/loadavg").split(separator: " ").prefix(1).joined()
        kernel = Self.file("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines)
        gstreamer =
            Self.output("gst-launch-1.0", "--version").split(separator: "\n").first { $0.hasPrefix("GStreamer") }
            .map(String.init) ?? "GStreamer unknown"
        swift =
            Self.output("swift", "--version").split(separator: "\n").first { $0.contains("Swift version") }
            .map(String.init) ?? "Swift unknown"
        let hash = Self.output("git", "rev-parse", "--short", "HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
        let isChanged = !Self.output("git", "status", "--porcelain", "--untracked-files=no").isEmpty
        commit = hash.isEmpty ? "unknown" : hash + (isChanged ? " with changes" : "")
    }

    var text: String {
        """
        machine  \(cpu), \(cores) cores, load \(load) at the start, Linux \(kernel)
        tools    \(gstreamer), \(swift)
        commit   \(commit)
        """
    }

    private static func file(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    /// Empty where the program is missing: these figures are for reading.
    private static func output(_ command: String...) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
