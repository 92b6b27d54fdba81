import Foundation

extension Stage {
    /// A stage on which nothing is shared with other processes of the machine but libc and its like: the programs, the
    /// libraries and plugins that `pipeline` needs are copies of their own. Pss is then what it is on a board that runs
    /// nothing else with Swift or GStreamer.
    func apart(for pipeline: String) throws -> Stage {
        let root = folder + "/apart"
        let files = FileManager.default
        for folder in ["/bin", "/lib", "/gstreamer"] {
            try files.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        func copy(_ path: String, to target: String) throws -> String {
            try? files.removeItem(atPath: target)
            try files.copyItem(atPath: (path as NSString).resolvingSymlinksInPath, toPath: target)
            return target
        }
        let mapped = try libraries(pipeline)
        let names = try Dictionary(
            Set(mapped.map { ($0 as NSString).deletingLastPathComponent }).map { ($0, try links(in: $0)) },
            uniquingKeysWith: { first, _ in first })
        for path in mapped where !path.contains("/gstreamer-1.0/") {
            let (directory, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
            _ = try copy(path, to: "\(root)/lib/\(name)")
            for link in names[directory]?[name] ?? [] {
                try files.createSymbolicLink(atPath: "\(root)/lib/\(link)", withDestinationPath: name)
            }
        }
        guard let plugin = mapped.first(where: { $0.contains("/gstreamer-1.0/") }) else {
            throw BenchError("no GStreamer plugin was mapped for \(pipeline)")
        }
        let plugins = (plugin as NSString).deletingLastPathComponent
        for name in try files.contentsOfDirectory(atPath: plugins) where name.hasSuffix(".so") {
            let (path, target) = ("\(plugins)/\(name)", "\(root)/gstreamer/\(name)")
            if mapped.contains(path) {
                _ = try copy(path, to: target)
            } else {
                try files.createSymbolicLink(atPath: target, withDestinationPath: path)
            }
        }
        // Where the host looks for its own plugins.
        let beside = (mediahost as NSString).deletingLastPathComponent
        _ = try copy(beside + "/libReplayBuffer.so", to: root + "/bin/libReplayBuffer.so")
        var environment = environment
        environment["LD_LIBRARY_PATH"] = root + "/lib"
        environment["GST_PLUGIN_SYSTEM_PATH"] = root + "/gstreamer"
        environment["GST_REGISTRY"] = root + "/registry.bin"
        let stage = Stage(
            root, environment, mediahost: try copy(mediahost, to: root + "/bin/mediahost"),
            gstLaunch: try copy(gstLaunch, to: root + "/bin/gst-launch-1.0"), of: self)
        try stage.launch("fakesrc num-buffers=1 ! fakesink").waitForSuccess(within: 120)
        // What is not on the disk yet counts as dirty.
        sync()
        return stage
    }

    /// The other names of a directory's files: the loader looks for a library by the one that its users were linked with.
    private func links(in directory: String) throws -> [String: [String]] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: directory).reduce(into: [:]) { found, name in
            guard let target = try? files.destinationOfSymbolicLink(atPath: "\(directory)/\(name)") else { return }
            found[(target as NSString).lastPathComponent, default: []].append(name)
        }
    }

    /// The shared libraries that the host and gst-launch-1.0 map for it, without those that every process has.
    private func libraries(_ pipeline: String) throws -> Set<String> {
        let everybodys = [
            "/libc.so", "/libm.so", "/ld-linux", "/libgcc_s.so", "/libstdc++.so", "/libpthread", "/libdl",
        ]
        return try Side.allCases.reduce(into: Set<String>()) { found, side in
            let fifo = try Fifo(on: self)
            let text = "\(pipeline) ! \(fifo.sink)"
            let child = try side == .mediahost ? host([text]) : launch(text)
            _ = try fifo.waitForFirstByte(from: child)
            // A child that nobody holds is killed. A String from the file would be its first page.
            let maps = withExtendedLifetime(child) {
                FileHandle(forReadingAtPath: "/proc/\(child.pid)/maps")?.readDataToEndOfFile() ?? Data()
            }
            for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
                guard let slash = line.firstIndex(of: "/") else { continue }
                let path = String(line[slash...])
                guard path.contains(".so"), !everybodys.contains(where: path.contains) else { continue }
                found.insert(path)
            }
        }
    }
}
