// swift-tools-version: 6.2
import PackageDescription

// What a Swift plugin is built against: installed as share/mediahost/PluginKit, and usable from here, too. The settings are
// those of mediahost's own Package.swift. Each plugin carries its own copy: only C crosses between it and the host.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
]
let cSettings: [CSetting] = [.unsafeFlags(["-std=c11"])]

let package = Package(
    name: "PluginKit",
    products: [.library(name: "PluginKit", targets: ["PluginKit"])],
    targets: [
        .systemLibrary(name: "CThreadSanitizer"),
        .target(name: "Locking", dependencies: ["CThreadSanitizer"], swiftSettings: swiftSettings),
        .target(name: "PluginABI", cSettings: cSettings),
        .target(name: "PluginKit", dependencies: ["Locking", "PluginABI"], swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
