import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// The life of the socket file, and what a client says when nobody is behind it.
@Suite struct ControlServerSocketTests {
    private let place: TemporaryDirectory

    init() throws {
        MainLoopThread.start()
        place = try TemporaryDirectory()
    }

    @HostActor private func server(_ path: String) -> ControlServer { ControlServer(socketPath: path, routes: []) }

    @HostActor private func refusal(_ path: String) -> ControlError? {
        let server = server(path)
        defer { server.stop() }
        return #expect(throws: ControlError.self) { try server.start() }
    }

    @Test @HostActor func missingDirectoriesAreMadeForTheGroup() throws {
        let one = server(place.path("a/b/c.sock"))
        try one.start()
        #expect(try place.mode("a/b") == 0o750)
        one.stop()
        #expect(!place.exists("a/b/c.sock"))
    }

    @Test @HostActor func socketHasItsModeWhateverTheUmask() throws {
        let one = server(place.path("c.sock"))
        // Of the whole process, but the tightest one harms no other test.
        let old = umask(0o077)
        try one.start()
        umask(old)
        #expect(try place.mode("c.sock") == 0o660)
        one.stop()
    }

    @Test @HostActor func staleSocketIsReplaced() throws {
        let path = place.path("c.sock")
        RawClient.leaveStaleSocket(path)
        #expect(place.exists("c.sock"))
        let one = server(path)
        try one.start()
        one.stop()
    }

    /// Of two hosts that were started at once one ended, though each had a socket of its own.
    @Test @HostActor func whoStartsInTheSameDirectoryIsWaitedFor() throws {
        let path = place.path("c.sock")
        let other = open(place.path("."), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0)
        var pauses = 0
        let socket = try ListeningSocket(path: path) {
            pauses += 1
            if pauses == 3 { flock(other, LOCK_UN) }
        }
        #expect(pauses == 3 && place.exists("c.sock"))
        socket.remove()
        try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
        let error = #expect(throws: ControlError.self) { try ListeningSocket(path: path) { pauses += 1 } }
        #expect(error?.code == .busy && pauses > 50)
        #expect(error?.message.hasSuffix("is not done yet: try again") == true)
        close(other)
    }

    @Test @HostActor func secondHostIsRefusedAndTheFirstGoesOn() throws {
        let path = place.path("c.sock")
        let first = server(path)
        try first.start()
        let error = refusal(path)
        #expect(error?.code == .state)
        #expect(
            error?.message
                == "another mediahost answers at `\(path)`: stop it, or give this one another socket with --socket")
        #expect(place.exists("c.sock"))
        first.stop()
        #expect(!place.exists("c.sock"))
    }

    @Test @HostActor func forgottenServerCleansUp() async throws {
        var one: ControlServer? = server(place.path("c.sock"))
        try one?.start()
        one = nil
        // An isolated deinit may run as a job of its own.
        await Task { @HostActor in }.value
        #expect(!place.exists("c.sock"))
    }

    @Test @HostActor func socketOfASuccessorIsLeftAlone() throws {
        let path = place.path("c.sock")
        let first = server(path)
        try first.start()
        unlink(path)
        let second = server(path)
        try second.start()
        first.stop()
        #expect(place.exists("c.sock"))
        second.stop()
        #expect(!place.exists("c.sock"))
    }

    @Test @HostActor func fileThatIsNoSocketStays() throws {
        let path = place.path("notes.txt")
        _ = FileManager.default.createFile(atPath: path, contents: Data("dear diary".utf8))
        #expect(refusal(path)?.code == .invalid)
        #expect(FileManager.default.contents(atPath: path) == Data("dear diary".utf8))
    }

    @Test @HostActor func impossiblePathsAreRefused() throws {
        let long = place.path(String(repeating: "x", count: 120))
        #expect(refusal(long)?.message.contains("a unix socket takes 107") == true)
        #expect(refusal("")?.code == .invalid)
        let longest = place.path(String(repeating: "x", count: 107 - place.path.utf8.count - 1))
        let one = server(longest)
        try one.start()
        one.stop()
        _ = FileManager.default.createFile(atPath: place.path("file"), contents: nil)
        #expect(refusal(place.path("file/c.sock"))?.message.contains("cannot make the directory") == true)
        let error = #expect(throws: ControlError.self) { try ControlClient(socketPath: long).status() }
        #expect(error?.code == .invalid)
    }

    @Test @HostActor func clientSaysThatNobodyIsThere() throws {
        let path = place.path("none.sock")
        let expected = ControlError(
            .unreachable,
            "no mediahost answers at \(path): start one with `mediahost run FILE`, or name its socket with --socket")
        #expect(throws: expected) { try ControlClient(socketPath: path).status() }
        RawClient.leaveStaleSocket(path)
        #expect(throws: expected) { try ControlClient(socketPath: path).status() }
    }

    @Test(.enabled(if: getuid() != 0, "root may open everything: run the tests as another user"))
    func clientSaysThatItMayNot() throws {
        let path = place.path("c.sock")
        RawClient.leaveStaleSocket(path)
        chmod(path, 0)
        let error = #expect(throws: ControlError.self) { try ControlClient(socketPath: path).status() }
        #expect(error?.code == .denied)
    }
}
