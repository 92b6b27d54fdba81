import Foundation

/// What somebody else would have: the installed headers and the `.pc`, and plugins built against nothing but them.
enum ThirdParty {
    /// The directory of the built plugins: the C example and the fixtures. Built once.
    static func plugins() async throws -> String { try await built.value.path("plugins") }

    private static let built = Task {
        let place = try Workplace(inProducts: "EndToEndTests.plugins")
        let prefix = place.path("prefix")
        try await Tool.require(
            "\(Workplace.checkout)/scripts/install", ["--headers-only", prefix], in: Workplace.checkout)
        let paths = ["PKG_CONFIG_PATH": "\(prefix)/lib/pkgconfig"]
        let files = FileManager.default
        try files.createDirectory(atPath: place.path("plugins"), withIntermediateDirectories: true)

        // The example as its reader takes it: copied out of the tree, `make`.
        let example = place.path("example")
        try files.createDirectory(atPath: example, withIntermediateDirectories: true)
        for name in ["minimal.c", "Makefile"] {
            try files.copyItem(
                atPath: "\(Workplace.checkout)/examples/minimal-plugin/\(name)", toPath: "\(example)/\(name)")
        }
        try await Tool.require("make", ["CFLAGS=-O2 -Werror"], environment: paths, in: example)
        try files.moveItem(atPath: "\(example)/libMinimal.so", toPath: place.path("plugins/libMinimal.so"))

        func flags(_ module: String, _ kind: String...) async throws -> [String] {
            try await Tool.require("pkg-config", kind + [module], environment: paths, in: place.directory)
                .output.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        let include = try await flags("mediahost-plugin", "--cflags")
        let gstreamer = try await flags("gstreamer-1.0", "--cflags", "--libs")
        let sources =
            ["FrameCounter": "\(Workplace.checkout)/examples/frame-counter-c/frame-counter.c"]
        for fixture in [
            "FrameCounter", "Gallery", "Prober", "Quitter", "Silent", "Choosy", "Hanger", "Crasher", "OtherABI",
            "NoEntry", "Clockwork", "KeyListener", "Echo", "Walker", "Witness",
        ] {
            try await Tool.require(
                "cc",
                ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-shared"] + include
                    + [
                        "-o", place.path("plugins/lib\(fixture).so"),
                        sources[fixture] ?? "\(Workplace.fixtures)/\(fixture).c",
                    ] + (["Prober", "Witness"].contains(fixture) ? gstreamer : []),
                in: place.directory)
        }
        try place.write(String(repeating: "this is no shared library\n", count: 20), to: "plugins/libText.so")
        return place
    }
}
