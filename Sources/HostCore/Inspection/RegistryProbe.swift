public import GStreamerKit

/// GStreamer itself: its version, and whether it could load its plugins.
public struct RegistryProbe: Sendable {
    public var version: String
    public var plugins: [RegisteredPlugin]
    /// Of what every pipeline needs, what is missing.
    public var missingElements: [String]
    /// `$GST_REGISTRY`, or the pattern of GStreamer's own place.
    public var cache: String

    static let topic = "GStreamer"
    /// Debian 12's; older ones are not tested.
    static let oldest = (major: 1, minor: 22)

    public init(version: String, plugins: [RegisteredPlugin], missingElements: [String] = [], cache: String) {
        self.version = version
        self.plugins = plugins
        self.missingElements = missingElements
        self.cache = cache
    }

    /// - Thread: worker, after `GStreamer.start`.
    static func gather(_ environment: [String: String]) -> RegistryProbe {
        let needed = ["fakesink", "queue", "capsfilter", "tee", "typefind"]
        let home = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
        return RegistryProbe(
            version: Versions.current.gstreamer, plugins: RegisteredPlugin.all(),
            missingElements: needed.filter { !ElementFactory.exists($0) },
            cache: environment["GST_REGISTRY"] ?? "\(home)/gstreamer-1.0/registry.*.bin")
    }

    public func judge() -> [Finding] {
        var found = [judgeVersion()]
        let bad = plugins.filter(\.isBlacklisted).map { $0.file ?? $0.name }.sorted()
        for file in bad {
            found.append(
                Finding(
                    Self.topic, .warning, "\(file) is blacklisted: it could not be loaded when it was scanned",
                    fix: "see what it lacks (`ldd \(file)`), then remove the cache: `rm \(cache)`"))
        }
        if !missingElements.isEmpty {
            found.append(
                Finding(
                    Self.topic, .error,
                    "elements of GStreamer's core are missing: \(missingElements.joined(separator: ", "))",
                    fix: "`apt install libgstreamer1.0-0`, then remove the cache: `rm \(cache)`"))
        }
        return found
    }

    private func judgeVersion() -> Finding {
        let count = plugins.count { !$0.isBlacklisted }
        let text = "GStreamer \(version), \(count) plugins"
        let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
        guard numbers.count == 2, (numbers[0], numbers[1]) < (Self.oldest.major, Self.oldest.minor) else {
            return Finding(Self.topic, .ok, text)
        }
        return Finding(
            Self.topic, .warning, text + ": older than \(Self.oldest.major).\(Self.oldest.minor), which is tested",
            fix: "use Debian 12 or newer")
    }
}
