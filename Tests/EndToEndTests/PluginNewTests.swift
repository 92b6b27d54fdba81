import Foundation
import Testing

/// `mediahost plugin new` of a checkout. The Swift package it writes is built by `scripts/check-install`, which takes longer.
@Suite(.timeLimit(.minutes(10)))
struct PluginNewTests {
    private func new(_ arguments: [String], in place: Workplace) async throws -> Tool.Result {
        try await Tool.run(Workplace.mediahost, ["plugin", "new"] + arguments, in: place.directory)
    }

    private func files(in place: Workplace, below name: String) -> Set<String> {
        let all = FileManager.default.enumerator(atPath: place.path(name))?.compactMap { $0 as? String } ?? []
        return Set(all.filter { FileManager.default.contents(atPath: place.path("\(name)/\($0)")) != nil })
    }

    @Test func pluginInCBuildsAndItsTestPasses() async throws {
        let place = try Workplace()
        let result = try await new(["door-bell", "--lang", "c"], in: place)
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(result.output.hasSuffix("next: `cd door-bell && make test`\n"), "\(result.output)")
        #expect(
            files(in: place, below: "door-bell") == [
                ".gitignore", "Makefile", "README.md", "door-bell.c", "example.yaml", "tests/load.c",
            ])
        let test = try await Tool.require("make", ["CFLAGS=-O2 -Werror", "test"], in: place.path("door-bell"))
        #expect(
            test.output.contains("state  ok\n") && test.output.contains("org.example.door-bell\n"), "\(test.output)")
        let exports = try await Tool.require(
            "nm", ["--dynamic", "--defined-only", "--extern-only", "--format=posix", "door-bell/libDoorBell.so"],
            in: place.directory)
        #expect(exports.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["mh_plugin_entry_1"])
    }

    @Test func itsExampleIsAConfigThatTakesIt() async throws {
        let place = try Workplace()
        _ = try await new(["door-bell", "--lang", "c"], in: place)
        try await Tool.require("make", [], in: place.path("door-bell"))
        let check = try await Tool.run(
            Workplace.mediahost, ["check", "example.yaml"],
            environment: ["MEDIAHOST_PLUGIN_PATH": place.path("door-bell")], in: place.path("door-bell"))
        #expect(check.ending == .exit(0), "\(check.errors)")
    }

    @Test func pluginInSwiftHasItsNameAndTheKitEverywhere() async throws {
        let place = try Workplace()
        let result = try await new(["door-bell-2", "--lang=swift", "--directory=deep/bell"], in: place)
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(
            files(in: place, below: "deep/bell") == [
                ".gitignore", "Package.swift", "README.md", "example.yaml", "Sources/DoorBell2/BufferCounter.swift",
                "Sources/DoorBell2/DoorBell2Plugin.swift", "Sources/DoorBell2Module/Entry.swift",
                "Tests/DoorBell2Tests/DoorBell2Tests.swift",
            ])
        for file in files(in: place, below: "deep/bell") {
            let text = try String(contentsOfFile: place.path("deep/bell/\(file)"), encoding: .utf8)
            #expect(
                !text.contains("rame-counter") && !text.contains("FrameCounter") && !text.contains("/usr/local"),
                "\(file)")
        }
        let package = try String(contentsOfFile: place.path("deep/bell/Package.swift"), encoding: .utf8)
        #expect(package.contains("?? \"\(Workplace.checkout)/packaging/PluginKit\"\n"), "\(package)")
        let entry = try String(
            contentsOfFile: place.path("deep/bell/Sources/DoorBell2Module/Entry.swift"), encoding: .utf8)
        #expect(entry.contains("for: DoorBell2Plugin.self"))
    }

    @Test(arguments: [
        (["9bell", "--lang=c"], "begins with a letter (a to z), not as in \"9bell\""),
        (["", "--lang=c"], "begins with a letter"),
        (["-bell", "--lang=c"], "Unknown option"),
        (["../bell", "--lang=c"], "begins with a letter"),
        (["a/b", "--lang=c"], "has letters (a to z), digits and -, not as in \"a/b\""),
        (["door_bell", "--lang=c"], "has letters (a to z), digits and -"),
        (["böll", "--lang=c"], "has letters (a to z), digits and -"),
        (["door--bell", "--lang=c"], "stands between two words"),
        (["bell-", "--lang=c"], "stands between two words"),
        ([String(repeating: "a", count: 65), "--lang=c"], "at most 64 letters; this one has 65"),
        (["plugin-kit", "--lang=swift"], "PluginKit is the name of something that a plugin is made of"),
        (["bell"], "--lang=swift or --lang=c"),
        (["bell", "--lang=rust"], #"--lang is swift or c, not "rust""#),
        (["bell", "--lang=c", "--seed=1"], "--seed is for `plugin check`, not for `plugin new`"),
        (
            ["bell", "--lang=c", "--json"],
            "--json is for `plugin list`, `plugin info`, `plugin check`, `plugin show`, `plugin set`, `plugin enable`, "
        ),
        (["--lang=c"], "give one name"),
        (["a", "b", "--lang=c"], "give one name"),
    ])
    func mistakeWritesNothing(_ arguments: [String], _ text: String) async throws {
        let place = try Workplace()
        let result = try await new(arguments, in: place)
        #expect(result.ending == .exit(2) && result.output == "")
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(files(in: place, below: ".").isEmpty)
    }

    /// The hint is to be pasted.
    @Test func theNextStepIsQuotedForAShell() async throws {
        let place = try Workplace()
        let result = try await new(["bell", "--lang=c", "--directory=it's a bell"], in: place)
        #expect(result.output.hasSuffix("next: `cd 'it'\\''s a bell' && make test`\n"), "\(result.output)")
    }

    @Test func directoryWithFilesIsLeftAloneAndAnEmptyOneTaken() async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("bell"), withIntermediateDirectories: true)
        try place.write("mine", to: "bell/notes")
        let refused = try await new(["bell", "--lang=c"], in: place)
        #expect(refused.ending == .exit(1) && refused.output == "")
        #expect(refused.errors.contains("bell has files already and is left alone"), "\(refused.errors)")
        #expect(files(in: place, below: "bell") == ["notes"])
        try FileManager.default.removeItem(atPath: place.path("bell/notes"))
        #expect(try await new(["bell", "--lang=c"], in: place).ending == .exit(0))

        try place.write("a file", to: "other")
        let file = try await new(["other", "--lang=c"], in: place)
        #expect(file.ending == .exit(1) && file.errors.contains("cannot make the directory other"), "\(file.errors)")
    }

    @Test func programAloneSaysWhereItLooked() async throws {
        let place = try Workplace()
        try await Tool.require(
            "install", ["-D", Workplace.mediahost, place.path("bin/mediahost")], in: place.directory)
        let result = try await Tool.run(
            place.path("bin/mediahost"), ["plugin", "new", "x", "--lang=c"], in: place.directory)
        #expect(result.ending == .exit(1))
        for missing in ["share/mediahost/templates/c", "include/mediahost.h", "examples/frame-counter-c"] {
            #expect(result.errors.contains("\n  \(place.directory)/\(missing)\n"), "\(result.errors)")
        }
        #expect(!place.exists("x"))
    }
}
