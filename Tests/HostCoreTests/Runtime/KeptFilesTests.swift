import CGLib
import Foundation
import Glibc
import Testing

@testable import HostCore

/// Files that a service manager holds; the manager is a socket of the test's.
@Suite struct KeptFilesTests {
    private final class Manager {
        let path = NSTemporaryDirectory() + "kept-\(UUID().uuidString.prefix(8))"
        private let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

        init() throws {
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            let status = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(status == 0)
        }

        deinit {
            close(file)
            unlink(path)
        }

        /// What was sent so far.
        var messages: [String] {
            var found: [String] = []
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return found }
                found.append(String(decoding: bytes[..<count], as: UTF8.self))
            }
        }

        func files(_ more: [String: String] = [:]) -> KeptFiles {
            KeptFiles(environment: ["NOTIFY_SOCKET": path].merging(more) { $1 }, process: getpid())
        }
    }

    private static func failure(_ body: () throws(KeptFiles.Failure) -> Void) -> KeptFiles.Failure? {
        do throws(KeptFiles.Failure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func inode(_ file: Int32) -> UInt {
        var facts = stat()
        return fstat(file, &facts) == 0 ? UInt(facts.st_ino) : 0
    }

    @Test func whatIsKeptIsTakenAndDropped() throws {
        let manager = try Manager()
        let files = manager.files()
        let memory = mh_memory_file()
        defer { close(memory) }
        try files.keep(memory, "ring", of: "replay")
        let taken = try files.take("ring", of: "replay")
        #expect(taken != memory && Self.inode(taken) == Self.inode(memory))
        close(taken)
        // Each instance's own.
        #expect(Self.failure { () throws(KeptFiles.Failure) in _ = try files.take("ring", of: "other") } == .notFound)
        // Again: what was kept goes.
        try files.keep(memory, "ring", of: "replay")
        try files.drop("ring", of: "replay")
        #expect(Self.failure { () throws(KeptFiles.Failure) in try files.drop("ring", of: "replay") } == .notFound)
        let stored = "FDSTORE=1\nFDNAME=mediahost/replay/ring\nFDPOLL=0"
        let removed = "FDSTOREREMOVE=1\nFDNAME=mediahost/replay/ring"
        #expect(manager.messages == [stored, removed, stored, removed])
    }

    @Test func whatInstancesKeptThatAreGoneIsLetGoOf() throws {
        let manager = try Manager()
        let files = manager.files()
        let memory = mh_memory_file()
        defer { close(memory) }
        for instance in ["a", "ab", "b"] { try files.keep(memory, "x", of: instance) }
        _ = manager.messages
        #expect(files.forget(allBut: ["ab"]) == ["a/x", "b/x"])
        #expect(
            Set(manager.messages) == [
                "FDSTOREREMOVE=1\nFDNAME=mediahost/a/x", "FDSTOREREMOVE=1\nFDNAME=mediahost/b/x",
            ])
        let left = try files.take("x", of: "ab")
        close(left)
    }

    @Test func whatIsWrongIsSaid() throws {
        let manager = try Manager()
        let files = manager.files()
        for name in ["", "Ring", "a:b", "a/b", "ä", String(repeating: "a", count: 65)] {
            #expect(Self.failure { () throws(KeptFiles.Failure) in try files.keep(0, name, of: "i") } == .invalid)
        }
        #expect(Self.failure { () throws(KeptFiles.Failure) in try files.keep(-1, "x", of: "i") } == .invalid)
        let nobody = KeptFiles(environment: [:], process: getpid())
        #expect(Self.failure { () throws(KeptFiles.Failure) in try nobody.keep(0, "x", of: "i") } == .unsupported)
        let gone = KeptFiles(environment: ["NOTIFY_SOCKET": "/nowhere/notify"], process: getpid())
        #expect(
            Self.failure { () throws(KeptFiles.Failure) in try gone.keep(0, "x", of: "i") }
                == .failed("the service manager's socket does not take it: No such file or directory"))
        #expect(Self.failure { () throws(KeptFiles.Failure) in _ = try gone.take("x", of: "i") } == .notFound)
        // Handed to another process, or to nobody.
        for listen in [["LISTEN_PID": "1", "LISTEN_FDS": "1"], ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "-3"]] {
            let other = manager.files(listen.merging(["LISTEN_FDNAMES": "mediahost/i/x"]) { $1 })
            #expect(Self.failure { () throws(KeptFiles.Failure) in _ = try other.take("x", of: "i") } == .notFound)
        }
    }
}
