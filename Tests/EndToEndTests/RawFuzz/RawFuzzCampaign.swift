import Foundation
import Glibc
import Locking
import Testing

/// Requests that nobody's HTTP library would send, by the million: each ends in an answer or in the end of its connection,
/// never in a 5xx that is not documented, in a crash, in memory or in descriptors that are not given back.
///
/// Several requests go over one connection, one behind the other without waiting. A fault names the connection: the same
/// seed and number give the same bytes.
@Suite(.timeLimit(.minutes(60)))
struct RawFuzzCampaign {
    private struct Result: Sendable {
        var requests = 0
        var statuses: [Int: Int] = [:]
        var faults: [String] = []
        var late = 0
    }

    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: videotestsrc name=source is-live=true ! video/x-raw,width=64,height=48,framerate=10/1 ! fakesink
            settable: [source.pattern]
        plugins:
          works: { module: Clockwork }
          gallery: { module: Gallery }
        """

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test func anyBytesAreAnsweredOrRefused() async throws {
        let rounds = Int(
            Self.number("MEDIAHOST_CAMPAIGN_N") ?? min(20_000, Self.number("MEDIAHOST_CAMPAIGN_MOST") ?? .max))
        let seed = Self.number("MEDIAHOST_SEED") ?? UInt64.random(in: 0..<1_000_000_000)
        print("raw-fuzz: seed \(seed): run again with MEDIAHOST_SEED=\(seed)")
        let place = try Workplace()
        let host = try MediahostProcess(
            place.write(Self.config, to: "config.yaml"), in: place, plugins: try await ThirdParty.plugins(),
            environment: ["XDG_STATE_HOME": place.path("state")], options: ["--quiet"])
        try await Deadline.poll("the host") { try await host.ask("status").ending == .exit(0) ? true : nil }
        // What is made once is made: what serves streams, tables, and the memory of events and of the log.
        let stream = Self.exchange(Array("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), host.socket)
        guard case .answered(let bytes) = stream, FuzzAnswers.isStream(bytes[...]) else {
            Issue.record("the events do not come: \(stream)")
            return try await host.terminate()
        }
        let first = await run(rounds / 4, from: 0, seed, host.socket)
        let before = try Self.held(by: host.child.pid)
        let start = ContinuousClock.now
        let second = await run(rounds, from: 1 << 32, seed, host.socket)
        let took = (ContinuousClock.now - start) / .seconds(1)
        let status = try await host.ask("status")
        #expect(status.ending == .exit(0), "the host does not answer: \(status.errors)\(host.log.text)")
        // Connections that were left behind go in their time.
        let after = try await Deadline.poll("descriptors as before (\(before))", within: .seconds(90)) {
            let now = try Self.held(by: host.child.pid)
            return now.files <= before.files ? now : nil
        }
        let statuses = second.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        print(
            "raw-fuzz: \(second.requests) requests, \(second.statuses.values.reduce(0, +)) answered, in \(Int(took)) s, \(Int(Double(second.requests) / took)) a second; "
                + "answers \(statuses.joined(separator: ", ")); memory \(before.kilobytes) kB before, "
                + "\(after.kilobytes) kB after; descriptors \(before.files) before, \(after.files) after")
        for fault in (first.faults + second.faults).prefix(5) { Issue.record("seed \(seed), \(fault)") }
        #expect(second.requests >= rounds)
        #expect(first.late + second.late == 0, "connections that did not end in time; seed \(seed)")
        let good = second.statuses.filter { $0.key < 300 }.values.reduce(0, +)
        // Of a few hundred chance decides.
        #expect(rounds < 5000 ? !second.statuses.isEmpty : good > rounds / 50, "hardly anything was well-formed")
        // The address sanitizer keeps what is freed.
        if ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil {
            #expect(after.kilobytes - before.kilobytes < 8 << 10, "the host has grown; seed \(seed)")
        }
        try await host.terminate()
    }

    /// Threads of their own: the tasks of other tests would wait for these.
    private func run(_ rounds: Int, from start: Int, _ seed: UInt64, _ socket: String) async -> Result {
        let workers = 2
        return await withTaskGroup(of: Result.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            let first = start + worker << 24
                            continuation.resume(returning: Self.work(rounds / workers + 1, first, seed, socket))
                        }
                    }
                }
            }
            return await group.reduce(into: Result()) { all, one in
                all.requests += one.requests
                all.late += one.late
                all.statuses.merge(one.statuses, uniquingKeysWith: +)
                all.faults += one.faults
            }
        }
    }

    private static func work(_ rounds: Int, _ first: Int, _ seed: UInt64, _ socket: String) -> Result {
        var result = Result()
        var number = first
        while result.requests < rounds, result.faults.count < 3 {
            var random = FuzzRandom(seed: seed, connection: number)
            let count = 1 + random.below(10)
            var bytes: [UInt8] = []
            // What is broken ends the connection: in most it comes last.
            let isWild = random.once(in: 4)
            for index in 1...count {
                bytes += isWild || index == count ? FuzzRequest.random(&random) : FuzzRequest.wellFormed(&random)
            }
            result.requests += count
            switch exchange(bytes, socket) {
            case .answered(let all):
                let answers = FuzzAnswers(all)
                for status in answers.statuses { result.statuses[status, default: 0] += 1 }
                if let fault = answers.fault { result.faults.append(describe(fault, number, bytes)) }
            case .late(let all):
                result.late += 1
                result.faults.append(
                    describe("it did not end within 20 s; \(all.count) bytes had come", number, bytes))
            case .unreachable(let why): result.faults.append(describe(why, number, bytes))
            }
            number += 1
        }
        return result
    }

    private static func describe(_ fault: String, _ connection: Int, _ bytes: [UInt8]) -> String {
        "connection \(connection): \(fault)\nsent: \(String(decoding: bytes.prefix(3000), as: UTF8.self).debugDescription)"
    }

    private enum Exchange {
        case answered([UInt8])
        case late([UInt8])
        case unreachable(String)
    }

    /// Sends all of it, and closes that side when nothing comes any more; reads until the host closes, or a stream has begun
    /// that would not end.
    private static func exchange(_ bytes: [UInt8], _ path: String) -> Exchange {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(file) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { return .unreachable("nobody listens: \(String(cString: strerror(errno)))") }
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var sent = 0
        // The answers are read while the rest is sent: neither side may wait for the other for ever.
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(file, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
                continue
            }
            guard errno == EAGAIN else { break }
            var wait = pollfd(fd: file, events: Int16(POLLIN | POLLOUT), revents: 0)
            guard poll(&wait, 1, 20_000) > 0 else { return .late(all) }
            let read = recv(file, &piece, piece.count, Int32(MSG_DONTWAIT))
            if read > 0 { all += piece[..<read] }
            if read == 0 { return .answered(all) }
        }
        // Who has closed its side gets one more answer: first come all that the host gives by itself.
        var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        var isOpen = true
        while true {
            if isOpen, poll(&wait, 1, 3) == 0 {
                shutdown(file, Int32(SHUT_WR))
                isOpen = false
            }
            let count = recv(file, &piece, piece.count, 0)
            if count > 0 {
                all += piece[..<count]
                // It goes on until somebody leaves.
                if FuzzAnswers.isStream(all.suffix(2 * piece.count)) { return .answered(all) }
                continue
            }
            if count < 0, errno == EAGAIN { return .late(all) }
            return .answered(all)
        }
    }

    /// What a process has of memory and descriptors.
    private static func held(by process: pid_t) throws -> (kilobytes: Int, files: Int) {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kilobytes = line?.split(separator: " ").compactMap { Int($0) }.first
        return (
            try #require(kilobytes), try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        )
    }
}
