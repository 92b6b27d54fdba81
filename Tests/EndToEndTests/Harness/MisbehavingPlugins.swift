import Foundation

/// Plugins that load and then do one thing they must not: `Misbehaving.c` by fault.
enum MisbehavingPlugins {
    static func directory() async throws -> String { try await built.value.directory }

    static func file(_ name: String) async throws -> String { try await built.value.path("lib\(name).so") }

    /// In the order of the enumeration in `Misbehaving.c`.
    private static let faults = [
        "Good", "LeakMemory", "LeakFile", "LeakThread", "AnswerTwice", "NeverAnswer", "NeverAcknowledge",
        "AcknowledgeTwice", "HangInEvent", "ExitInEvent", "CrashInDeactivate", "KeepString", "KeepValue", "KeepBuffer",
        "MainFromThread", "PostFromStream", "ReplyAfterDestroy", "ReadHostAfterDestroy", "CrashOnText",
        "RefuseSilently", "ExtraSymbols", "ForgetBuilder", "CallBeforeInit", "PostInInit", "AnyId", "PeekAtHost",
        "NoActivateTwice", "KeepExpiry", "ArmFromThread", "ArmUnclean", "ForeignCell", "KeepRetained", "EventLoop",
        "GiveUp", "AnyExtension", "BadText", "HangInBuffer", "CrashInBuffer", "NoCancel", "RefuseAll",
        "ExecutableStack", "PastTheEnd", "KeepRequest", "RespondTwice", "NeverRespond", "KeepName", "SlowInit",
        "FloodEvents",
    ]

    /// What is no fault of the source.
    private static let linkerFlags = ["ExecutableStack": ["-Wl,-z,execstack"]]

    /// The examples, by the name of their file.
    private static let examples = ["minimal-plugin/minimal", "frame-counter-c/frame-counter"]

    private static let built = Task {
        let place = try Workplace(inProducts: "EndToEndTests.misbehaving")
        let flags = [
            "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-shared",
            "-I\(Workplace.checkout)/Sources/PluginABI/include",
        ]
        var jobs = faults.enumerated().map { number, name in
            flags + (linkerFlags[name] ?? []) + [
                "-DFAULT=\(number)", "-o", "lib\(name).so", "\(Workplace.fixtures)/Misbehaving.c", "-lpthread",
            ]
        }
        for example in examples {
            let name = example.split(separator: "/")[1]
            jobs.append(flags + ["-o", "lib\(name).so", "\(Workplace.checkout)/examples/\(example).c"])
        }
        // Each is a moment's work of a whole core.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, job) in jobs.enumerated() {
                if index >= 2 { try await group.next() }
                group.addTask { try await Tool.require("cc", job, in: place.directory) }
            }
            try await group.waitForAll()
        }
        return place
    }
}
