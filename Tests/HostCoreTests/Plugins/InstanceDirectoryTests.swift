import Foundation
import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// mh.state-directory: private, made on demand, and the same after a restart.
@Suite(.timeLimit(.minutes(10))) struct InstanceDirectoryTests {
    init() { MainLoopThread.start() }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @HostActor private func ask(_ it: ScriptedPlugin) -> (status: mh_status, path: String) {
        var path = mh_str_1()
        let table = it.table(MH_EXT_STATE_DIRECTORY, as: mh_state_directory_ext_1.self)
        let status = table?.pointee.path?(it.host, &path) ?? 1
        return (status, String(path))
    }

    @Test @HostActor func itIsMadeWhenAskedForAndPrivate() async throws {
        let place = try TemporaryDirectory()
        let root = place.path("state/mediahost")
        let it = ScriptedPlugin(stateRoot: root)
        let instance = try it.make()
        #expect(!FileManager.default.fileExists(atPath: root))
        let (status, path) = ask(it)
        #expect(status == 0 && path == "\(root)/plugins/it")
        #expect(try mode(path) == 0o700)
        #expect(try mode("\(root)/plugins") == 0o700)
        // Opened up or taken away by somebody: it is put right.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        #expect(ask(it) == (0, path))
        #expect(try mode(path) == 0o700)
        try FileManager.default.removeItem(atPath: path)
        #expect(ask(it) == (0, path))
        await it.end(instance)
    }

    @Test @HostActor func aHostWithoutStateHasNone() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        #expect(ask(it) == (mh_status(MH_E_UNSUPPORTED), ""))
        await it.end(instance)
    }

    @Test @HostActor func whatIsInTheWayIsNamed() async throws {
        let place = try TemporaryDirectory()
        try "".write(toFile: place.path("plugins"), atomically: true, encoding: .utf8)
        let it = ScriptedPlugin(stateRoot: place.path(""))
        let instance = try it.make()
        #expect(ask(it) == (mh_status(MH_E_FAILED), ""))
        #expect(it.lines("has no directory of its own: cannot make ") == 1)
        await it.end(instance)
    }

    /// What lies behind a link may be somebody else's.
    @Test func aLinkIsNotFollowed() throws {
        let place = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: place.path("plugins"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: place.path("elsewhere"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.path("plugins/it"), withDestinationPath: place.path("elsewhere"))
        let directory = InstanceDirectory(root: place.path("."), instance: "it")
        guard case .failed(let reason) = directory.find() else {
            Issue.record("it was followed")
            return
        }
        #expect(reason.contains("plugins/it"))
    }
}
