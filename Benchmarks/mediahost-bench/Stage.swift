import Foundation

/// A folder for one run of the benchmarks, and what is measured in it: the programs, an environment with a warm GStreamer
/// registry of its own, a config per pipeline.
final class Stage {
    let folder: String
    let mediahost: String
    let gstLaunch: String
    /// Counts allocations where it is preloaded.
    let probe: String
    /// Recovers in bare C.
    let rebuild: String
    /// systemd-logind for one host.
    let login: String
    /// A server over libsoup that does nothing.
    let soup: String
    let environment: [String: String]
    private var count = 0

    init() throws {
        let beside = Self.executableFolder
        mediahost = beside + "/mediahost"
        probe = beside + "/libBenchProbe.so"
        rebuild = beside + "/BenchRebuild"
        login = beside + "/BenchLogin"
        soup = beside + "/BenchSoup"
        for file in [
            mediahost, probe, rebuild, beside + "/libBenchTap.so", beside + "/libBenchEvents.so",
            beside + "/libBenchLifecycle.so", beside + "/BenchLoad", login, soup,
        ]
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
        environment["TZ"] = "UTC"
        // The machine's own sleep and locks are none of a benchmark's business.
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nowhere"
        // What the host keeps of failures.
        environment["STATE_DIRECTORY"] = folder
        self.environment = environment
        // The first start of any GStreamer program scans all plugins; nobody measures that here.
        let warmUp = try Child([gstLaunch, "-q", "benchsrc", "num-buffers=1", "!", "benchsink"], on: self)
        try warmUp.waitForSuccess(within: 120)
    }

    /// In a folder of another stage.
    init(_ folder: String, _ environment: [String: String], mediahost: String, gstLaunch: String, of stage: Stage) {
        (self.folder, self.environment) = (folder, environment)
        (self.mediahost, self.gstLaunch) = (mediahost, gstLaunch)
        (probe, rebuild, login, soup) = (stage.probe, stage.rebuild, stage.login, stage.soup)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ suffix: String) -> String {
        count += 1
        return "\(folder)/\(count)\(suffix)"
    }

    /// For `more`: a pipeline that comes back without a wait, as often as it fails.
    static let restartAtOnce = "restart: { delay: 0, backoff: 1, jitter: 0%, limit: 1000 per 1s }"

    /// `mediahost run` with these pipelines, and a control socket of its own.
    func host(
        _ pipelines: [String], more: String = "", plugins: String = "", preload: String? = nil, socket: String? = nil,
        login: String = "", control: String = "", under wrapper: [String] = []
    ) throws -> Child {
        let config = path(".yaml")
        var text = "mediahost: 1\npipelines:\n"
        for (index, launch) in pipelines.enumerated() {
            text += "  p\(index):\n    launch: >\n      \(launch)\n" + (more.isEmpty ? "" : "    \(more)\n")
        }
        if !plugins.isEmpty { text += "plugins:\n" + plugins }
        if !control.isEmpty { text += "control: { \(control) }\n" }
        if !login.isEmpty { text += "login: { \(login) }\n" }
        try text.write(toFile: config, atomically: false, encoding: .utf8)
        return try Child(
            wrapper + [mediahost, "run", "--quiet", "--socket", socket ?? path(".socket"), config], on: self,
            preload: preload)
    }

    /// The same launch text under gst-launch-1.0.
    func launch(_ pipeline: String, options: [String] = [], under wrapper: [String] = []) throws -> Child {
        try Child(
            wrapper + [gstLaunch, "-q"] + options + pipeline.split(whereSeparator: \.isWhitespace).map(String.init),
            on: self)
    }

    /// What `mediahost status --json` says.
    func status(_ socket: String) throws -> [String: Any] {
        let child = try Child([mediahost, "status", "--json", "--socket", socket], on: self)
        try child.waitForSuccess(within: 20)
        let object = try? JSONSerialization.jsonObject(with: Data(child.log.utf8))
        guard let status = object as? [String: Any] else { throw BenchError("no status\(child.said)") }
        return status
    }

    /// 2 s of H.264 in MP4.
    func clip() throws -> String {
        let file = folder + "/clip.mp4"
        if !FileManager.default.fileExists(atPath: file) {
            try launch(
                "videotestsrc num-buffers=50 pattern=ball ! \(Pipelines.rawVideo) ! x264enc ! h264parse ! mp4mux"
                    + " ! filesink location=\(file)"
            ).waitForSuccess(within: 60)
        }
        return file
    }

    private static var executableFolder: String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }
}

func lastError() -> String { String(cString: strerror(errno)) }
