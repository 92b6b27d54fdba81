// swift-tools-version: 6.2
import PackageDescription

// Every Swift target is built the same way: language mode 6, warnings are errors, and the string-processing
// module is not imported behind our back (it costs 0.8 MB of every process, see docs/benchmarks.md).
let swiftSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
]

// Tests and benchmarks never reach a board; they may use what they like.
let toolSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

let cSettings: [CSetting] = [.unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])]

// An installed tree (bin/mediahost, lib/mediahost/{plugins,swift}) finds the Swift runtime beside itself; a debug build
// keeps the toolchain's. `scripts/link-runtime` makes release builds run from the build folder, too.
func swiftRuntime(at path: String) -> LinkerSetting {
    .unsafeFlags(
        ["-no-toolchain-stdlib-rpath", "-Xlinker", "-rpath", "-Xlinker", path],
        .when(platforms: [.linux], configuration: .release))
}
let executableRuntime = swiftRuntime(at: "$ORIGIN/../lib/mediahost/swift")
let pluginRuntime = swiftRuntime(at: "$ORIGIN/../swift")

// A plugin exports exactly one symbol: its entry.
let oneSymbol: LinkerSetting = .unsafeFlags(
    ["-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/plugin.map"],
    .when(platforms: [.linux]))

let package = Package(
    name: "mediahost",
    products: [
        .executable(name: "mediahost", targets: ["mediahost"]),
        .library(name: "ReplayBuffer", type: .dynamic, targets: ["ReplayBufferModule"]),
        .library(name: "LaundryTimers", type: .dynamic, targets: ["LaundryTimersModule"]),
        .library(name: "PluginKit", targets: ["PluginKit"]),
        .library(name: "HostTestKit", targets: ["HostTestKit"]),
        // What `make bench` measures with: never installed.
        .executable(name: "mediahost-bench", targets: ["mediahost-bench"]),
        .executable(name: "BenchRebuild", targets: ["BenchRebuild"]),
        .executable(name: "BenchLogin", targets: ["BenchLogin"]),
        .executable(name: "BenchSoup", targets: ["BenchSoup"]),
        .library(name: "BenchProbe", type: .dynamic, targets: ["BenchProbe"]),
        .library(name: "BenchTap", type: .dynamic, targets: ["BenchTap"]),
        .library(name: "BenchEvents", type: .dynamic, targets: ["BenchEvents"]),
        .library(name: "BenchLifecycle", type: .dynamic, targets: ["BenchLifecycle"]),
    ],
    targets: [
        .systemLibrary(name: "CGLib", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(
            name: "CGStreamer", pkgConfig: "gstreamer-1.0 gstreamer-app-1.0 gstreamer-video-1.0",
            providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
        .systemLibrary(name: "CJSON", pkgConfig: "json-glib-1.0", providers: [.apt(["libjson-glib-dev"])]),
        .systemLibrary(name: "CSoup", pkgConfig: "libsoup-3.0", providers: [.apt(["libsoup-3.0-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        .systemLibrary(name: "CThreadSanitizer"),

        .target(name: "CMemory", dependencies: ["CStack"], cSettings: cSettings),
        .target(name: "CStack", cSettings: cSettings),
        // `#embed` is C23. In an array of Swift the page would take the compiler longer, and each process memory.
        .target(
            name: "CWebPage", exclude: ["page"],
            cSettings: [.unsafeFlags(["-std=c23", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])]),
        .target(name: "Locking", dependencies: ["CThreadSanitizer"], swiftSettings: swiftSettings),
        .target(name: "PluginABI", cSettings: cSettings),
        .target(name: "PluginKit", dependencies: ["Locking", "PluginABI"], swiftSettings: swiftSettings),
        .target(name: "GStreamerKit", dependencies: ["CGStreamer", "Locking"], swiftSettings: swiftSettings),
        .target(
            name: "HostCore",
            dependencies: [
                "CGLib", "CJSON", "CMemory", "CSoup", "CStack", "CWebPage", "CYAML", "GStreamerKit", "Locking",
                "PluginABI",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "HostTestKit", dependencies: ["GStreamerKit", "HostCore", "Locking", "PluginABI"],
            swiftSettings: swiftSettings),
        .target(name: "PluginScaffold", dependencies: ["CGLib", "HostCore"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "mediahost", dependencies: ["CGLib", "HostCore", "Locking", "PluginScaffold"],
            swiftSettings: swiftSettings, linkerSettings: [executableRuntime]),

        // A plugin is two targets: what it does, for tests to use, and the module around it that exports the entry.
        .target(
            name: "CReplayPage", path: "Plugins/ReplayBuffer/Page", exclude: ["page"],
            cSettings: [.unsafeFlags(["-std=c23", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])]),
        .target(
            name: "ReplayBuffer",
            dependencies: ["CGLib", "CReplayPage", "GStreamerKit", "Locking", "PluginABI", "PluginKit"],
            path: "Plugins/ReplayBuffer", exclude: ["Module", "Page"], swiftSettings: swiftSettings),
        .target(
            name: "ReplayBufferModule", dependencies: ["PluginABI", "PluginKit", "ReplayBuffer"],
            path: "Plugins/ReplayBuffer/Module", swiftSettings: swiftSettings,
            linkerSettings: [pluginRuntime, oneSymbol]),
        .target(
            name: "LaundryTimers", dependencies: ["CGLib", "CSQLite", "Locking", "PluginABI", "PluginKit"],
            path: "Plugins/LaundryTimers", exclude: ["Module"], swiftSettings: swiftSettings),
        .target(
            name: "LaundryTimersModule", dependencies: ["LaundryTimers", "PluginABI", "PluginKit"],
            path: "Plugins/LaundryTimers/Module", swiftSettings: swiftSettings,
            linkerSettings: [pluginRuntime, oneSymbol]),

        .target(
            name: "BenchProbe", dependencies: ["CGStreamer"], path: "Benchmarks/BenchProbe", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("gstbase-1.0")]),
        .target(
            name: "BenchTap", dependencies: ["PluginABI"], path: "Benchmarks/BenchTap", cSettings: cSettings,
            linkerSettings: [oneSymbol]),
        .target(
            name: "BenchEvents", dependencies: ["CGLib", "PluginABI"], path: "Benchmarks/BenchEvents",
            cSettings: cSettings, linkerSettings: [oneSymbol]),
        .target(
            name: "BenchLifecycle", dependencies: ["PluginABI"], path: "Benchmarks/BenchLifecycle",
            cSettings: cSettings,
            linkerSettings: [oneSymbol]),
        .executableTarget(
            name: "BenchLoad", dependencies: ["PluginABI"], path: "Benchmarks/BenchLoad", cSettings: cSettings),
        .executableTarget(
            name: "BenchLogin", dependencies: ["CGLib"], path: "Benchmarks/BenchLogin", cSettings: cSettings),
        .executableTarget(
            name: "BenchSoup", dependencies: ["CSoup"], path: "Benchmarks/BenchSoup", cSettings: cSettings),
        .executableTarget(
            name: "BenchRebuild", dependencies: ["CGStreamer"], path: "Benchmarks/BenchRebuild", cSettings: cSettings),
        .executableTarget(name: "mediahost-bench", path: "Benchmarks/mediahost-bench", swiftSettings: toolSettings),

        // Runs the products beside it as a user would; links none of them.
        .testTarget(
            name: "EndToEndTests", dependencies: ["Locking"], exclude: ["Fixtures"], swiftSettings: toolSettings),
        // GStreamer's own launch parser, at arm's length.
        .executableTarget(
            name: "LaunchReferee", dependencies: ["CGStreamer"], path: "Tests/LaunchReferee", cSettings: cSettings),
        // A clock for pipelines in tests, that goes as fast as they can follow, and a camera that no machine needs to have.
        .systemLibrary(
            name: "CGStreamerCheck", path: "Tests/CGStreamerCheck", pkgConfig: "gstreamer-check-1.0",
            providers: [.apt(["libgstreamer1.0-dev"])]),
        .target(
            name: "TestElements", dependencies: ["CGStreamerCheck"], path: "Tests/TestElements", cSettings: cSettings),
        .testTarget(
            name: "HostCoreTests",
            dependencies: [
                "CGLib", "CGStreamer", "GStreamerKit", "HostCore", "HostTestKit", "LaunchReferee", "Locking",
                "PluginABI", "TestElements",
            ],
            swiftSettings: toolSettings),
        .testTarget(
            name: "GStreamerKitTests",
            dependencies: ["CGStreamer", "GStreamerKit", "HostCore", "HostTestKit", "Locking", "TestElements"],
            swiftSettings: toolSettings),
        .testTarget(
            name: "PluginKitTests", dependencies: ["HostCore", "HostTestKit", "Locking", "PluginABI", "PluginKit"],
            swiftSettings: toolSettings),
        // SQLite's way to the disk, which ends where a test says, as with a kill.
        .target(
            name: "CrashingDisk", dependencies: ["CSQLite"], path: "Tests/CrashingDisk", cSettings: cSettings),
        // Kills a process at any of its system calls, and one that is killed so.
        .target(name: "Guillotine", path: "Tests/Guillotine", cSettings: cSettings),
        .executableTarget(
            name: "TimerVictim", dependencies: ["Guillotine", "HostCore", "HostTestKit", "LaundryTimers", "PluginKit"],
            path: "Tests/TimerVictim", swiftSettings: toolSettings),
        .testTarget(
            name: "LaundryTimersTests",
            dependencies: [
                "CrashingDisk", "HostCore", "HostTestKit", "LaundryTimers", "Locking", "PluginABI", "PluginKit",
                "TimerVictim",
            ],
            swiftSettings: toolSettings),
        // Fills a ring that outlives it until it is killed.
        .executableTarget(
            name: "RingVictim", dependencies: ["HostCore", "HostTestKit", "PluginKit", "ReplayBuffer"],
            path: "Tests/RingVictim", swiftSettings: toolSettings),
        .testTarget(
            name: "ReplayBufferTests",
            dependencies: [
                "GStreamerKit", "HostCore", "HostTestKit", "Locking", "PluginABI", "PluginKit", "ReplayBuffer",
                "RingVictim",
            ],
            swiftSettings: toolSettings),
    ],
    swiftLanguageModes: [.v6]
)
