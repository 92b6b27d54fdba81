import GStreamerKit
import Testing

@testable import HostCore

/// Each probe judges machines that this one is not.
@Suite struct ProbeTests {
    private func levels(_ findings: [Finding]) -> [Finding.Level] { findings.map(\.level) }

    // MARK: GStreamer and plugins

    @Test func blacklistedFilesAreNamedWithTheCacheToRemove() throws {
        let probe = RegistryProbe(
            version: "1.22.0",
            plugins: [
                RegisteredPlugin(name: "coreelements", file: "/lib/a.so", isBlacklisted: false),
                RegisteredPlugin(name: "x264", file: "/lib/libgstx264.so", isBlacklisted: true),
            ], cache: "/var/cache/mediahost/gstreamer-1.0/registry.*.bin")
        let found = probe.judge()
        #expect(found.first == Finding("GStreamer", .ok, "GStreamer 1.22.0, 1 plugins"))
        let bad = try #require(found.last)
        #expect(bad.level == .warning && bad.text.hasPrefix("/lib/libgstx264.so is blacklisted"))
        #expect(bad.fix?.contains("rm /var/cache/mediahost/gstreamer-1.0/registry.*.bin") == true)
    }

    @Test(arguments: [("1.20.7", Finding.Level.warning), ("1.22.0", .ok), ("1.26.1", .ok), ("2.0.0", .ok), ("", .ok)])
    func oldGStreamerIsWarnedOf(_ version: String, _ level: Finding.Level) {
        #expect(levels(RegistryProbe(version: version, plugins: [], cache: "c").judge()) == [level])
    }

    @Test func missingCoreIsAnError() {
        let probe = RegistryProbe(version: "1.22.0", plugins: [], missingElements: ["queue", "tee"], cache: "c")
        #expect(probe.judge().last?.level == .error)
        #expect(probe.judge().last?.text.hasSuffix("queue, tee") == true)
    }

    @Test func pluginThatWasAskedForAndDoesNotLoadIsAnError() {
        let failure = PluginFailure("libX.so was built for plugin ABI 99.7", help: "build it again")
        func module(_ directory: String) -> PluginProbe.Module {
            PluginProbe.Module(name: "X", file: "\(directory)/libX.so", loaded: .failure(failure))
        }
        let directories = [
            PluginProbe.Directory(path: "/asked", exists: true, isAskedFor: true),
            PluginProbe.Directory(path: "/beside", exists: true, isAskedFor: false),
        ]
        let asked = PluginProbe(directories: directories, modules: [module("/asked")]).judge()
        #expect(asked == [Finding("plugins", .error, failure.message, fix: "build it again")])
        #expect(levels(PluginProbe(directories: directories, modules: [module("/beside")]).judge()) == [.warning])
    }

    @Test func pluginDirectoryThatIsNotThereIsNamed() {
        let gone = PluginProbe.Directory(path: "/gone", exists: false, isAskedFor: true)
        let found = PluginProbe(directories: [gone], modules: []).judge()
        #expect(levels(found) == [.warning, .ok])
        #expect(found[0].text == "MEDIAHOST_PLUGIN_PATH names /gone, which cannot be read")
        #expect(found[1].text == "none found in any directory")
    }

    // MARK: Devices and directories

    @Test func refusedDevicesAreOneFindingForEachGroupToJoin() {
        func node(_ path: String, _ group: String, _ isUsable: Bool) -> DeviceProbe.Node {
            DeviceProbe.Node(path: path, owner: "root", group: group, isUsable: isUsable)
        }
        let probe = DeviceProbe(
            user: "ann",
            nodes: [
                node("/dev/video0", "video", false), node("/dev/video1", "video", false),
                node("/dev/snd/pcmC0D0c", "audio", true), node("/dev/dri/card0", "root", false),
            ], devices: [])
        #expect(
            probe.judge() == [
                Finding(
                    "devices", .warning, "user ann may not use /dev/video0, /dev/video1 (group video)",
                    fix: "`sudo usermod -aG video ann`, and log in again; for a service: `SupplementaryGroups=video`"),
                Finding("devices", .ok, "sound card: /dev/snd/pcmC0D0c, readable and writable"),
                Finding(
                    "devices", .warning, "user ann may not use /dev/dri/card0 (group root)",
                    fix: "a udev rule has to give them to a group: they belong to root alone"),
            ])
    }

    @Test func devicesThatGStreamerFindsAreListedWithoutMonitors() {
        let probe = DeviceProbe(
            user: "ann", nodes: [],
            devices: [
                Device(kind: .audioSource, name: "Mic", factory: "pulsesrc"),
                Device(kind: .audioSource, name: "Monitor of HDMI", factory: "pulsesrc", isMonitor: true),
            ])
        #expect(probe.judge().last == Finding("devices", .ok, "Audio/Source: Mic (pulsesrc)"))
        #expect(levels(probe.judge()) == [.ok, .ok, .ok, .ok])
    }

    @Test func directoryThatCannotBeMadeIsAnErrorWithWhereAndHow() {
        let place = DirectoryProbe.Place(
            purpose: "control socket", path: "/run/mediahost", existing: "/run", isWritable: false)
        let found = DirectoryProbe(socket: .success("/run/mediahost/control.sock"), places: [place]).judge()
        #expect(
            found == [
                Finding(
                    "permissions", .error,
                    "/run/mediahost (control socket) does not exist, and there is no permission to make it in /run",
                    fix: "`sudo install -d -o $USER /run/mediahost`, or run as a user who may")
            ])
    }

    @Test func fullDiskAndImpossibleSocketAreSaid() {
        let place = DirectoryProbe.Place(
            purpose: "state", path: "/var/lib/mediahost", existing: "/var/lib/mediahost", isWritable: true,
            freeBytes: 3 << 20)
        let found = DirectoryProbe(socket: .failure(ControlError(.denied, "not yours")), places: [place]).judge()
        #expect(levels(found) == [.error, .warning])
        #expect(found[1].text == "only 3 MiB are free in /var/lib/mediahost (state)")
    }

    @Test func placesOfThisMachineAreFollowedToWhatExists() {
        let probe = DirectoryProbe.gather(["STATE_DIRECTORY": "/tmp/absent-a/b:/x"], socket: "/tmp/absent-s/c.sock")
        #expect(probe.places.map(\.path) == ["/tmp/absent-s", "/tmp/absent-a/b"])
        #expect(probe.places.map(\.existing) == ["/tmp", "/tmp"])
        #expect(levels(probe.judge()) == [.ok, .ok])
        let long = DirectoryProbe.gather([:], socket: "/tmp/" + String(repeating: "x", count: 120))
        #expect(long.judge().first?.level == .error)
    }

    // MARK: The system

    @Test func smallLimitsAreWarnedOf() {
        let small = LimitsProbe(
            files: 256, mostFiles: 512, inotifyInstances: 16, memoryBytes: 64 << 20, availableBytes: 20 << 20,
            cgroupBytes: 32 << 20)
        #expect(levels(small.judge()) == [.warning, .warning, .ok, .warning, .warning])
        #expect(small.judge().filter { $0.level == .warning }.allSatisfy { $0.fix != nil })
        let large = LimitsProbe(
            files: 1024, mostFiles: .max, inotifyInstances: 128, realtimePriority: 95, memoryBytes: 4 << 30,
            availableBytes: 2 << 30)
        #expect(levels(large.judge()) == [.ok, .ok, .ok, .ok])
        #expect(large.judge()[0].text == "1024 open files (RLIMIT_NOFILE), at most unlimited")
    }

    @Test func memoryIsReadAsTheKernelWritesIt() {
        let text = "MemTotal:         498232 kB\nMemFree: 1 kB\nMemAvailable:  x kB\n"
        #expect(LimitsProbe.kibibytes("MemTotal", in: text) == 498_232 << 10)
        #expect(LimitsProbe.kibibytes("MemAvailable", in: text) == nil)
        #expect(LimitsProbe.kibibytes("SwapTotal", in: text) == nil)
        let here = LimitsProbe.gather()
        #expect(here.files > 0 && here.mostFiles >= here.files)
        #expect((here.memoryBytes ?? 0) >= (here.availableBytes ?? 1))
    }

    @Test func clockThatWasNeverSetIsAnError() {
        #expect(levels(ClockProbe(now: 3600, isSynchronised: true).judge()) == [.error])
        #expect(levels(ClockProbe(now: 1_800_000_000, isSynchronised: false).judge()) == [.warning])
        #expect(levels(ClockProbe(now: 1_800_000_000, isSynchronised: true).judge()) == [.ok])
        #expect(levels(ClockProbe(now: 1_800_000_000, isSynchronised: nil).judge()) == [.ok])
    }

    @Test func serviceIsAskedForWhatItsUnitLacks() {
        #expect(levels(ServiceProbe(hasSystemd: true, environment: [:]).judge()) == [.ok])
        let bare = ServiceProbe(
            hasSystemd: true, environment: ["INVOCATION_ID": "1", "JOURNAL_STREAM": "8:1", "WATCHDOG_USEC": "100000"])
        #expect(levels(bare.judge()) == [.warning, .warning])
        #expect(bare.judge().map(\.fix) == ["`Type=notify` in the unit", "`WatchdogSec=10` in the unit"])
        let whole = ServiceProbe(
            hasSystemd: true,
            environment: [
                "INVOCATION_ID": "1", "NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "10000000", "STATE_DIRECTORY": "/s",
            ])
        #expect(levels(whole.judge()) == [.ok, .ok])
    }

    @Test func configsElementsAreListedOrItsErrorsAre() {
        let file = SourceFile(
            path: "porch.yaml", text: "mediahost: 1\npipelines: { porch: { launch: fakesrc ! x264ecn ! fakesink } }\n")
        let (_, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
        let broken = ConfigurationProbe(file: "porch.yaml", diagnostics: found).judge()
        #expect(
            broken == [
                Finding(
                    "config", .error, #"porch.yaml:2:41: no element "x264ecn""#, fix: #"did you mean "x264enc"?"#)
            ])
        let good = ConfigurationProbe(
            file: "porch.yaml", diagnostics: [], factories: ["fakesink", "fakesrc"], summary: "1 pipeline, 0 plugins")
        #expect(
            good.judge() == [
                Finding(
                    "config", .ok, "porch.yaml: 1 pipeline, 0 plugins; its elements are all there: fakesink, fakesrc")
            ])
    }
}
