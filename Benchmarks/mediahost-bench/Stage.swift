import Foundation

/// A folder for one run of the benchmarks, and what is measured in it: the programs, an environment with a warm GStreamer
/// registry of its own, a config per pipeline.
final class Stage {
    let folder: String
    let mediahost: String
    let gstLaunch: String
    /// Counts allocations where it is preloaded.
    let probe: String
    let environment: [String: String]
    private var count = 0

    init() throws {
        let beside = Self.executableFolder
        mediahost = beside + "/mediahost"
        probe = beside + "/libBenchProbe.so"
        for file in [mediahost, probe, beside + "/libBenchTap.so"]
        where !FileManager.default.isReadableFile(atPath: file) {
            throw BenchError("there is no \(file); `make bench` builds it")
        }
        let inherited = ProcessInfo.processInfo.environment
        guard
            let found = (inherited["PATH"] ?? "").split(separator: ":").map({ "\($0)/gst-launch-1.0" })
                .first(where: { FileManager.default.isExecutableFile(atPath: $0) })
        else { throw BenchError("gst-launch-1.0 is not on PATH; install gstreamer1.0-tools") }
        gstLaunch = found
        var template = Array("/tmp/mediahost-bench.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchError("cannot make a folder in /tmp: \(lastError())") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var environment = inherited.filter { !$0.key.hasPrefix("GST_") && !$0.key.hasPrefix("MEDIAHOST_") }
        // GStreamer looks through a plugin folder and all below it: the build folder is none.
        let plugins = folder + "/gstreamer"
        try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: plugins + "/libBenchProbe.so", withDestinationPath: probe)
        environment["GST_PLUGIN_PATH"] = plugins
        environment["GST_REGISTRY"] = folder + "/registry.bin"
        environment["NO_COLOR"] = "1"
        self.environment = environment
        // The first start of any GStreamer program scans all plugins; nobody measures that here.
        let warmUp = try Child([gstLaunch, "-q", "benchsrc", "num-buffers=1", "!", "benchsink"], on: self)
        try warmUp.waitForSuccess(within: 120)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ suffix: String) -> String {
        count += 1
        return "\(folder)/\(count)\(suffix)"
    }

    /// `mediahost run` with these pipelines, and a control socket of its own.
    func host(_ pipelines: [String], more: String = "", plugins: String = "", preload: String? = nil) throws -> Child {
        let config = path(".yaml")
        var text = "mediahost: 1\npipelines:\n"
        for (index, launch) in pipelines.enumerated() {
            text += "  p\(index):\n    launch: >\n      \(launch)\n" + (more.isEmpty ? "" : "    \(more)\n")
        }
        if !plugins.isEmpty { text += "plugins:\n" + plugins }
        try text.write(toFile: config, atomically: false, encoding: .utf8)
        return try Child(
            [mediahost, "run", "--quiet", "--socket", path(".socket"), config], on: self, preload: preload)
    }

    /// The same launch text under gst-launch-1.0.
    func launch(_ pipeline: String) throws -> Child {
        try Child([gstLaunch, "-q"] + pipeline.split(whereSeparator: \.isWhitespace).map(String.init), on: self)
    }

    private static var executableFolder: String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }
}

func lastError() -> String { String(cString: strerror(errno)) }
