// swift-tools-version: 6.2
import PackageDescription

// The kit that came with mediahost; `pkg-config --variable=kitdir mediahost-plugin` says where another one is.
let kit = Context.environment["MEDIAHOST_KIT"] ?? "/usr/local/share/mediahost/PluginKit"

// As mediahost's own plugins are built. The string-processing module would cost every process 0.8 MB.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
]

let linkerSettings: [LinkerSetting] = [
    // The library exports its entry and nothing else.
    .unsafeFlags(["-Xlinker", "--version-script=\(kit)/plugin.map"]),
    // No path of this machine in a release: the host has the Swift runtime in memory already, or beside lib/mediahost/plugins.
    .unsafeFlags(
        ["-no-toolchain-stdlib-rpath", "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../swift"],
        .when(configuration: .release)),
]

let package = Package(
    name: "frame-counter",
    products: [.library(name: "FrameCounter", type: .dynamic, targets: ["FrameCounterModule"])],
    dependencies: [.package(path: kit)],
    targets: [
        // Two targets: what the plugin does, which tests link, and the library around it with its linker settings.
        .target(
            name: "FrameCounter", dependencies: [.product(name: "PluginKit", package: "PluginKit")],
            swiftSettings: swiftSettings),
        .target(
            name: "FrameCounterModule",
            dependencies: ["FrameCounter", .product(name: "PluginKit", package: "PluginKit")],
            swiftSettings: swiftSettings, linkerSettings: linkerSettings),
        .testTarget(name: "FrameCounterTests", dependencies: ["FrameCounter"]),
    ],
    swiftLanguageModes: [.v6]
)
