import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// The file of saved settings: what it says wins, what does not fit is named and left out.
@Suite struct OverridesTests {
    private static let config = """
        mediahost: 1
        overrides: saved.yaml
        pipelines:
          porch:
            launch: videotestsrc name=camera ! fakesink name=end
            properties: { camera.pattern: snow, end.sync: false }
            settable: [camera.pattern, camera.num-buffers]
        plugins:
          replay: { module: ReplayBuffer, window: 60s, inner: { a: 1, b: 2 } }
        """

    private func files(_ saved: String) throws -> TestFiles {
        try TestFiles(["porch.yaml": Self.config, "saved.yaml": saved])
    }

    @Test func whatWasSavedWinsOverTheConfig() throws {
        let files = try files(
            """
            mediahost: 1
            pipelines:
              porch:
                properties:
                  camera.num-buffers: "7"
                  camera.pattern: "ball"
            plugins:
              replay:
                inner:
                  b: 5
            """)
        let (configuration, found) = files.load()
        #expect(found.isEmpty, "\(found)")
        let pipeline = try #require(configuration?.pipelines.first)
        #expect(
            pipeline.properties.map { "\($0.path.description)=\($0.value)" }
                == ["camera.pattern=ball", "end.sync=false", "camera.num-buffers=7"])
        let plugin = try #require(configuration?.plugins.first?.effectiveConfig)
        #expect(plugin["window"]?.text?.string == "60s")
        #expect(plugin["inner"]?["a"]?.text?.string == "1" && plugin["inner"]?["b"]?.text?.string == "5")
        #expect(
            configuration?.files.map { URL(fileURLWithPath: $0).lastPathComponent } == ["porch.yaml", "saved.yaml"])
        let shown = EffectiveConfiguration { _ in nil }.value(of: try #require(configuration))
        #expect(shown["pipelines"]?["porch"]?["properties"]?["camera.pattern"] == "ball")
    }

    @Test func whetherAPluginBeginsIsSavedBesideItsOwnKeys() throws {
        var document = OverridesDocument()
        document.set(["window": "5s"], of: "replay")
        document.set(isEnabled: false, of: "replay")
        #expect(document.settings.map(\.key) == ["replay.window", "replay.enabled"])
        let files = try files(document.text)
        let (configuration, found) = files.load()
        #expect(found.isEmpty, "\(found)")
        let plugin = try #require(configuration?.plugins.first)
        #expect(!plugin.isEnabled && configuration?.enabledPlugins.isEmpty == true)
        #expect(plugin.effectiveConfig["enabled"] == nil && plugin.effectiveConfig["window"]?.text?.string == "5s")
        let shown = EffectiveConfiguration { _ in nil }.value(of: try #require(configuration))
        #expect(shown["plugins"]?["replay"]?["enabled"] == false)
        let (mended, warnings) = try self.files("plugins: { replay: { enabled: perhaps } }").load()
        #expect(mended?.plugins.first?.isEnabled == true)
        #expect(
            warnings.map(\.message) == [
                "\"enabled\" of plugin \"replay\" is true or false: this saved setting is left out"
            ])
    }

    /// A variable in it would be a way to the environment, and to secrets.
    @Test func textsMeanThemselves() throws {
        let text = "${HOME} ${secret:wifi} \"q\" \\ é 🎬 \u{85}\u{2028}\u{7}: # x"
        var document = OverridesDocument()
        document.set(PropertyPath(element: "camera", property: "pattern"), of: "porch", to: text)
        let files = try TestFiles([
            "porch.yaml": Self.config.replacingOccurrences(of: "name=camera", with: "name=camera foo=bar")
        ])
        try files.write(document.text, to: "saved.yaml")
        #expect(try OverridesFile.read(files.place.path("saved.yaml"))?.settings.first?.value == .string(text))
    }

    @Test func staleAndForbiddenSettingsAreNamedAndLeftOut() throws {
        let files = try files(
            """
            mediahost: 1
            pipelines:
              porch:
                launch: fakesrc ! fakesink
                properties:
                  gone.pattern: "ball"
                  end.sync: "true"
                  camera.pattern: "nonsense"
                  camera.num-buffers: "3"
              attic: { properties: { a.b: "1" } }
            plugins:
              lost: { window: "1s" }
              replay: { module: Evil }
            rules: []
            """)
        let (configuration, found) = files.load()
        #expect(found.allSatisfy { $0.severity == .warning })
        #expect(
            found.map { "\($0.span?.start.line ?? 0): \($0.message.prefix(60))" } == [
                "4: \"launch\" of pipeline \"porch\" cannot be saved: this saved set",
                "6: no element named \"gone\" in pipeline \"porch\": this saved sett",
                "7: \"end.sync\" of pipeline \"porch\" may not be set: its `settable",
                "8: \"camera.pattern\" of pipeline \"porch\" cannot be \"nonsense\": t",
                "10: there is no pipeline \"attic\": this saved setting is left out",
                "12: there is no plugin \"lost\": this saved setting is left out",
                "13: \"module\" of plugin \"replay\" cannot be saved: this saved sett",
                "14: \"rules\" cannot be saved: this saved setting is left out",
            ])
        #expect(
            configuration?.pipelines.first?.properties.map(\.value) == ["snow", "false", "3"],
            "\(String(describing: configuration?.pipelines.first?.properties))")
        #expect(configuration?.plugins.first?.module == "ReplayBuffer")
        #expect(configuration?.pipelines.first?.launch.text.string.hasPrefix("videotestsrc") == true)
    }

    @Test(arguments: ["pipelines: [", "mediahost: 2\npipelines: {}", "- 1", "\u{1}", "pipelines: { porch: 3 }"])
    func aBrokenFileIsNamedAndKeepsNobodyFromStarting(_ text: String) throws {
        let files = try files(text)
        let (configuration, found) = files.load()
        #expect(configuration != nil)
        #expect(!found.isEmpty && found.allSatisfy { $0.severity == .warning }, "\(found)")
        #expect(files.problems().contains("saved.yaml"), "\(files.problems())")
    }

    @Test func noFileAndAnEmptyOneAreNothing() throws {
        #expect(try files("").load().1.isEmpty)
        #expect(try TestFiles(["porch.yaml": Self.config]).load().1.isEmpty)
    }

    @Test func itIsInTheStateDirectoryUnlessTheConfigSaysOtherwise() throws {
        let bare = try TestFiles(["porch.yaml": "mediahost: 1\n"])
        let (configuration, _) = bare.load("porch.yaml", ["STATE_DIRECTORY": "/var/lib/mediahost:/other"])
        #expect(configuration?.overridesFile == "/var/lib/mediahost/overrides.yaml")
        #expect(bare.load("porch.yaml", [:]).0?.overridesFile == nil)
        let named = try files("")
        #expect(named.load("porch.yaml", ["HOME": "/root"]).0?.overridesFile == named.place.path("saved.yaml"))
    }

    @Test func settingsAreListedAndTakenAway() throws {
        var document = OverridesDocument()
        document.set(PropertyPath(element: "a.b", property: "c"), of: "porch", to: "1")
        document.set(PropertyPath(element: "a.b", property: "d"), of: "porch", to: "2")
        document.set(["inner": ["a": 1, "list": [1, "x"]], "window": "5s"], of: "replay")
        document.set(["inner": ["a": 2]], of: "replay")
        #expect(
            document.settings.map(\.key)
                == ["porch/a.b.c", "porch/a.b.d", "replay.inner.a", "replay.inner.list", "replay.window"])
        #expect(document.settings[2].value == 2 && document.settings[3].value == [1, "x"])
        #expect(document.remove("nothing").isEmpty && document.remove("porch/a.b.").isEmpty)
        #expect(document.remove("replay.inner").map(\.key) == ["replay.inner.a", "replay.inner.list"])
        #expect(document.remove("porch").count == 2)
        #expect(document.root == ["plugins": ["replay": ["window": "5s"]]])
    }

    /// Whatever is set is read back as it was, and a change of the file leaves the rest of it alone.
    @Test func everyTextComesBack() throws {
        var campaign = Campaign(rounds: 500)
        let place = try TemporaryDirectory()
        let path = place.path("deep/saved.yaml")
        var expected: [String: Value] = [:]
        for _ in 0..<campaign.rounds {
            let length = Int.random(in: 0...12, using: &campaign)
            var text = ""
            while text.unicodeScalars.count < length {
                let most: UInt32 = Bool.random(using: &campaign) ? 0x7F : 0x10FFFF
                guard let scalar = Unicode.Scalar(UInt32.random(in: 1...most, using: &campaign)) else { continue }
                text.unicodeScalars.append(scalar)
            }
            let name = "p\(Int.random(in: 0..<20, using: &campaign))"
            try OverridesFile.change(path) { document in
                document.set(PropertyPath(element: "e", property: "x"), of: name, to: text)
                return ((), true)
            }
            expected["\(name)/e.x"] = .string(text)
            let read = try OverridesFile.read(path)?.settings ?? []
            #expect(
                Dictionary(read.map { ($0.key, $0.value) }) { $1 } == expected,
                "\(text.debugDescription); \(campaign.note)"
            )
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("deep")) == ["saved.yaml"])
        #expect(try place.mode("deep/saved.yaml") == 0o600)
    }
}
