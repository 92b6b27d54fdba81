import Foundation

/// Libraries that are no good plugins, each in its own way: `Faulty.c` by fault, and files that are damaged.
enum FaultyPlugins {
    /// Their directory. Built once.
    static func directory() async throws -> String { try await built.value.path("plugins") }

    static func file(_ name: String) async throws -> String { "\(try await directory())/lib\(name).so" }

    /// In the order of the enumeration in `Faulty.c`.
    static let faults = [
        "None", "NullEntry", "WrongMagic", "NewerABI", "UndefinedSymbol", "NullEntryInit", "NullFactory",
        "NullFactoryFunction", "NullDescriptor", "NullInstance", "NoPlugins", "NoSummary", "BadId", "BadUTF8",
        "ControlCharacters", "LongName", "BrokenSchema", "UnknownExtension", "InitError", "CrashInConstructor",
        "CrashInEntry", "AbortInInit", "CrashInInit", "CrashInFactory", "CrashInDescriptors", "ExitInInit",
        "HangInInit", "HangDeaf", "ForkInInit", "ForkAndCrash", "Flood",
    ]

    private static let built = Task {
        let place = try Workplace(inProducts: "EndToEndTests.faulty")
        let plugins = place.path("plugins")
        try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
        let include = "\(Workplace.checkout)/Sources/PluginABI/include"
        let flags = [
            "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-shared", "-I\(include)",
        ]
        let source = "\(Workplace.fixtures)/Faulty.c"
        for (number, name) in faults.enumerated() {
            try await Tool.require(
                "cc", flags + ["-DFAULT=\(number)", "-o", "\(plugins)/lib\(name).so", source], in: place.directory)
        }
        // One that needs a library which is gone by the time it is loaded.
        try place.write("int gone(void); int gone(void) { return 0; }\n", to: "gone.c")
        try await Tool.require(
            "cc", ["-fPIC", "-shared", "-Wl,-soname,libgone.so.7", "-o", "libgone.so", "gone.c"], in: place.directory)
        try await Tool.require(
            "cc",
            flags + [
                "-DFAULT=0", "-Wl,--no-as-needed", "-o", "\(plugins)/libMissingLibrary.so", source, "-L.", "-lgone",
            ], in: place.directory)
        try FileManager.default.removeItem(atPath: place.path("libgone.so"))

        try place.write(String(repeating: "this is no shared library\n", count: 20), to: "plugins/libText.so")
        try place.write("", to: "plugins/libEmpty.so")
        let good = try Data(contentsOf: URL(fileURLWithPath: "\(plugins)/libNone.so"))
        var foreign = good
        foreign[18] = 0x16  // EM_S390
        try foreign.write(to: URL(fileURLWithPath: "\(plugins)/libWrongMachine.so"))
        try good.prefix(200).write(to: URL(fileURLWithPath: "\(plugins)/libCut.so"))
        return place
    }
}
