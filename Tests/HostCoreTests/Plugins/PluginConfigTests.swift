import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// mh.config as a plugin sees it, and where in the file its words belong.
@Suite(.timeLimit(.minutes(10))) struct PluginConfigTests {
    init() { MainLoopThread.start() }

    @HostActor
    private func refuse(_ it: ScriptedPlugin, _ key: String, _ text: String) {
        let table = it.table(MH_EXT_CONFIG, as: mh_config_host_1.self)
        key.withABI { key in text.withABI { table?.pointee.refuse?(it.host, key, $0) } }
    }

    @Test @HostActor func aVerdictIsTheStatusAndWhatWasSaid() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        #expect(instance.validate([:]) == .needsNewInstance)
        try instance.activate()
        #expect(instance.validate([:]) == .good)
        it.onValidate = { mh_status(MH_E_UNSUPPORTED) }
        #expect(instance.validate([:]) == .needsNewInstance)
        it.onValidate = { mh_status(MH_E_BUSY) }
        #expect(instance.validate([:]) == .bad([.init(key: "", text: "it does not say why (status -6)")]))
        // A fault that was named counts, whatever the status says.
        it.onValidate = {
            self.refuse(it, "window", "too short")
            return 0
        }
        #expect(instance.validate([:]) == .bad([.init(key: "window", text: "too short")]))
        await it.end(instance)
    }

    @Test @HostActor func whatIsAppliedIsInForceAndWhatFailsIsNot() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        #expect(instance.config == [:])
        #expect(instance.apply(["a": 1]).isEmpty)
        #expect(instance.config == ["a": 1])
        it.onApply = {
            self.refuse(it, "a", "no more")
            return mh_status(MH_E_FAILED)
        }
        #expect(instance.apply(["a": 2]) == [.init(key: "a", text: "no more")])
        #expect(instance.config == ["a": 1])
        await it.end(instance)
        #expect(!instance.apply(["a": 3]).isEmpty)
    }

    /// A slow board may be late without having failed.
    @Test @HostActor func whoTakesTooLongIsNamedAndTaken() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        it.onValidate = {
            it.clock.advance(by: .milliseconds(1000))
            return 0
        }
        #expect(instance.validate([:]) == .good)
        #expect(it.lines("kept the control thread") == 0)
        it.onApply = {
            it.clock.advance(by: .milliseconds(1001))
            return 0
        }
        #expect(instance.apply(["a": 1]).isEmpty)
        #expect(instance.config == ["a": 1])
        #expect(it.lines("warning: kept the control thread for 1001ms in apply (at most 1s)") == 1)
        #expect(it.failures.isEmpty)
        await it.end(instance)
    }

    @Test @HostActor func nothingIsNotedOutsideOfACallAndNotWithoutEnd() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        refuse(it, "a", "out of place")
        #expect(instance.validate([:]) == .good)
        it.onValidate = {
            for number in 0..<1000 { self.refuse(it, "a", "\(number)") }
            return mh_status(MH_E_INVALID)
        }
        guard case .bad(let refusals) = instance.validate([:]) else {
            Issue.record("a config with faults is bad")
            return
        }
        #expect(refusals.count == 100)
        await it.end(instance)
    }

    @Test @HostActor func withoutBothFunctionsThereIsNoLiveConfig() async throws {
        let it = ScriptedPlugin()
        it.lacks = [MH_EXT_CONFIG]
        let instance = try it.make()
        try instance.activate()
        #expect(!instance.isLiveConfigurable)
        #expect(instance.validate([:]) == .needsNewInstance)
        await it.end(instance)
    }

    @Test(arguments: [
        ("window", "h.yaml:6:13"), ("inner.gain", "h.yaml:7:20"), ("list[1]", "h.yaml:8:16"),
        ("list[1].x", nil), ("list[2]", nil), ("list[x", nil), ("other", nil), ("window.x", nil),
    ])
    func aKeyIsFoundWhereItIsWritten(_ path: String, _ place: String?) throws {
        let text = """
            mediahost: 1
            pipelines: { a: { launch: fakesrc ! fakesink } }
            plugins:
              p:
                module: P
                window: 5s
                inner: { gain: 3 }
                list: [ 1, 2 ]
            """
        let (configuration, problems) = ConfigurationLoader.load(
            SourceFile(path: "h.yaml", text: text), environment: [:], catalog: TestCatalog())
        let plugin = try #require(configuration?.plugins.first, "\(problems)")
        #expect((plugin.config.written(at: path) != nil) == (place != nil))
        let diagnostic = ConfigRefusal(key: path, text: "bad").diagnostic(of: plugin)
        // One that is not written has a default: it is named at the plugin's own place.
        #expect(diagnostic.span?.description == place ?? "h.yaml:5:13")
        #expect(diagnostic.message == "plugin p does not take its new config: \"\(path)\": bad")
        let said = ConfigRefusal(key: path, text: "\"\(path)\" is bad").diagnostic(of: plugin)
        #expect(said.message == "plugin p does not take its new config: \"\(path)\" is bad")
    }
}
