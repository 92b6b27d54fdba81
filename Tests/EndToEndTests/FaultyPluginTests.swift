import Testing

/// Every way in which a library can be no good plugin: `check` lives, and names the cause at the plugin's place in the file.
@Suite(.timeLimit(.minutes(10)))
struct FaultyPluginTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        var module: String
        var says: [String]
        var limit = "60s"
        var testDescription: String { module }

        init(_ module: String, _ says: String..., limit: String = "60s") {
            self.module = module
            self.says = says
            self.limit = limit
        }
    }

    static let faults = [
        Fault("Text", "libText.so is no shared library: it does not begin like an ELF file"),
        Fault("Empty", "libEmpty.so is no shared library: it is too short"),
        Fault("Cut", "libCut.so is a damaged shared library: it ends too early", "help: copy or build it again"),
        Fault("WrongMachine", "libWrongMachine.so was built for another machine (machine 22"),
        Fault("MissingLibrary", "it needs the library libgone.so.7, which is not here", "likely libgone7; `ldd "),
        Fault("UndefinedSymbol", "it needs the symbol nobody_has_this, which none of the libraries it names has"),
        Fault("NullEntry", "mh_plugin_entry_1 returned NULL"),
        Fault("WrongMagic", "the entry's magic is 0x12345678, not 0x4d485031", "help: build it again"),
        Fault("NewerABI", "was built for plugin ABI 1.1 (cc); this host has 0.1", "or install a newer mediahost"),
        Fault("NullEntryInit", "the entry's init is NULL", "help: this is the plugin's mistake, not yours"),
        Fault("NullFactory", "has no factory mh.plugin-factory.draft/1"),
        Fault("NullFactoryFunction", "the factory lacks count, descriptor or create"),
        Fault("NullDescriptor", "descriptor 0 of 1 is NULL"),
        Fault("NoPlugins", "the factory says that it has 0 plugins, not 1 to 64"),
        Fault("NoSummary", "descriptor 0 is not usable: it has no summary"),
        Fault("BadId", #"its id "not an id" is no reverse-DNS name"#),
        Fault("BadUTF8", "its vendor is not valid UTF-8"),
        Fault("ControlCharacters", "its name has control characters"),
        Fault("LongName", "its name is longer than 1024 bytes, or has no end"),
        Fault("BrokenSchema", "its config_schema is broken at properties.a.type: must be one of object, array, "),
        Fault(
            "UnknownExtension", "org.example.faulty needs mh.telepathy/3, which this host does not have (it has mh.log"),
        Fault("InitError", "libInitError.so: its init failed (status "),
        Fault("ForkInInit", "its init started a process"),
        Fault("CrashInConstructor", "crashed with SIGSEGV while it was probed (while it was mapped, in a constructor"),
        Fault("CrashInEntry", "crashed with SIGSEGV while it was probed (in its entry)"),
        Fault(
            "AbortInInit", "crashed with SIGABRT while it was probed (in init); it wrote: a warning / assertion failed"),
        Fault("CrashInInit", "crashed with SIGSEGV while it was probed (in init)", "it is in quarantine from now on"),
        Fault("CrashInFactory", "crashed with SIGSEGV while it was probed (in get_factory)"),
        Fault("CrashInDescriptors", "crashed with SIGSEGV while it was probed (while its descriptors were read)"),
        Fault("ForkAndCrash", "crashed with SIGSEGV while it was probed (in init)"),
        Fault("ExitInInit", "ended the process with code 0 while it was probed (in init)"),
        Fault("HangInInit", "hung for 10s while it was probed (in init)", limit: "10s"),
        Fault("HangDeaf", "hung for 10s while it was probed (in init)", limit: "10s"),
        Fault("Flood", "wrote 4 MiB and more into its report while it was probed (in init)"),
    ]

    private static func config(_ module: String) -> String {
        """
        mediahost: 1
        pipelines: { camera: { launch: videotestsrc ! fakesink } }
        plugins:
          good: { module: None }
          bad: { module: \(module) }

        """
    }

    @Test(arguments: faults) func checkNamesTheCauseAndItsPlace(_ fault: Fault) async throws {
        let place = try Workplace()
        try place.write(Self.config(fault.module), to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["check", "config.yaml"],
            environment: [
                "MEDIAHOST_PLUGIN_PATH": FaultyPlugins.directory(), "XDG_STATE_HOME": place.path("state"),
                "MEDIAHOST_PROBE_LIMIT": fault.limit,
            ], in: place.directory)
        #expect(result.ending == .exit(3), "\(result.errors)")
        #expect(result.errors.contains("config.yaml:5:18: error: "), "\(result.errors)")
        for text in fault.says { #expect(result.errors.contains(text), "\(text) in \(result.errors)") }
        #expect(!result.errors.contains("config.yaml:4:"), "the good one: \(result.errors)")
    }

    /// The instance is made in the host itself; `run` finds it.
    @Test(arguments: ["NullInstance", "CrashInInit"]) func runEndsInOrder(_ module: String) async throws {
        let place = try Workplace()
        try place.write(Self.config(module), to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["run", "config.yaml", "--socket", place.path("control.sock")],
            environment: [
                "MEDIAHOST_PLUGIN_PATH": FaultyPlugins.directory(), "XDG_STATE_HOME": place.path("state"),
            ], in: place.directory)
        #expect(result.ending == .exit(3), "\(result.errors)")
        let says =
            module == "NullInstance"
            ? "an instance of org.example.faulty lacks required functions" : "crashed with SIGSEGV while it was probed"
        #expect(result.errors.contains("config.yaml:5:18: error: "), "\(result.errors)")
        #expect(result.errors.contains(says), "\(result.errors)")
    }
}
