import Foundation
import Glibc
import Testing

@testable import ReplayBuffer

@Suite struct FileLockTests {
    private static func file(_ path: String) throws -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        return file
    }

    /// As a process has it that was forked off and has not run its program yet.
    @Test func whoHasACopyForAMomentIsWaitedFor() throws {
        let path = NSTemporaryDirectory() + "lock-\(UUID().uuidString)"
        defer { unlink(path) }
        let before = try Self.file(path)
        #expect(FileLock.take(before) == 0)
        let copy = dup(before)
        close(before)
        let next = try Self.file(path)
        defer { close(next) }
        var pauses = 0
        let result = FileLock.take(next) {
            pauses += 1
            if pauses == 3 { close(copy) }
        }
        #expect(result == 0 && pauses == 3)
    }

    @Test func whoKeepsItIsNot() throws {
        let path = NSTemporaryDirectory() + "lock-\(UUID().uuidString)"
        defer { unlink(path) }
        let (first, second) = (try Self.file(path), try Self.file(path))
        defer { for file in [first, second] { close(file) } }
        #expect(FileLock.take(first) == 0)
        var pauses = 0
        #expect(FileLock.take(second) { pauses += 1 } == EWOULDBLOCK)
        #expect(pauses == FileLock.rounds - 1)
        #expect(FileLock.take(-1) { pauses += 1 } == EBADF && pauses == FileLock.rounds - 1)
    }
}
