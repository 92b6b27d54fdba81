import Foundation
import Testing

@testable import HostCore

@Suite struct ControlSocketTests {
    @Test func environmentDecidesBeforeTheUser() throws {
        let both = ["MEDIAHOST_SOCKET": "/x.sock", "XDG_RUNTIME_DIR": "/run/user/1000"]
        #expect(try ControlSocket.defaultPath { both[$0] } == "/x.sock")
        let runtime = ["MEDIAHOST_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/1000"]
        #expect(try ControlSocket.defaultPath { runtime[$0] } == "/run/user/1000/mediahost/control.sock")
    }

    @Test func rootAndOthersHaveTheirOwnFallback() throws {
        let relative = ["XDG_RUNTIME_DIR": "run"]
        let root = try ControlSocket.defaultPath(environment: { relative[$0] }, user: 0, temporary: "/nowhere")
        #expect(root == "/run/mediahost/control.sock")
        let user = try ControlSocket.defaultPath(environment: { _ in nil }, user: 4711, temporary: "/nowhere")
        #expect(user == "/nowhere/mediahost-4711/control.sock")
    }

    @Test func fallbackOfSomebodyElseOrOpenToOthersIsRefused() throws {
        let place = try TemporaryDirectory()
        let directory = place.path("mediahost-\(getuid())")
        func path(user: UInt32) throws -> String {
            try ControlSocket.defaultPath(environment: { _ in nil }, user: user, temporary: place.path)
        }
        // User 0 has its own place; pretend to be another one where the tests run as root.
        let user: UInt32 = getuid() == 0 ? 4711 : getuid()
        let fallback = place.path("mediahost-\(user)")
        try FileManager.default.createDirectory(atPath: fallback, withIntermediateDirectories: true)
        chown(fallback, user, gid_t.max)
        chmod(fallback, 0o700)
        #expect(try path(user: user) == fallback + "/control.sock")
        chmod(fallback, 0o750)
        #expect(throws: ControlError.self) { try path(user: user) }

        let stranger = place.path("mediahost-4712")
        try FileManager.default.createSymbolicLink(atPath: stranger, withDestinationPath: directory)
        let error = #expect(throws: ControlError.self) { try path(user: 4712) }
        #expect(error?.code == .denied)
        #expect(error?.message.contains("must be a directory of user 4712 with mode 0700") == true)
    }

    @Test func directoryIsWhatStandsBeforeTheLastSlash() {
        #expect(ControlSocket.directory(of: "/run/m/c.sock") == "/run/m")
        #expect(ControlSocket.directory(of: "/c.sock") == "/")
        #expect(ControlSocket.directory(of: "c.sock") == ".")
    }
}
