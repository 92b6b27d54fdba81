import Foundation
import GStreamerKit
import Testing

@testable import HostCore

@Suite struct NetworkAccessTests {
    private let full = "0123456789abcdef"
    private let readOnly = "look-0123456789abcdef"
    private let ends = NetworkAccess.Ends(peer: "10.0.0.9", local: "10.0.0.1", isLoopback: false, network: "10.0.0.9")
    private let start = ClockTime.seconds(100)

    private func access(hosts: [String] = []) throws -> NetworkAccess {
        NetworkAccess(
            AccessTokens(
                full: try AccessToken(Array(full.utf8), from: "a"),
                readOnly: try AccessToken(Array("\(readOnly)\n".utf8), from: "b")),
            allowedHosts: hosts)
    }

    private func question(
        _ token: String?, isReading: Bool = true, host: String = "10.0.0.1", origin: String? = nil
    ) -> NetworkAccess.Question {
        NetworkAccess.Question(
            isReading: isReading, host: host, hostField: "\(host):8080", origin: origin,
            authorization: token.map { "Bearer \($0)" })
    }

    private func code(_ question: NetworkAccess.Question, from ends: NetworkAccess.Ends? = nil) throws -> Int? {
        var access = try access(hosts: ["Box.local"])
        return access.refusal(of: question, from: ends ?? self.ends, at: start)?.error.code.status
    }

    @Test func tokensAllowWhatTheyAreFor() throws {
        #expect(try code(question(full)) == nil)
        #expect(try code(question(full, isReading: false)) == nil)
        #expect(try code(question(readOnly)) == nil)
        #expect(try code(question(readOnly, isReading: false)) == 403)
        for wrong in [
            "", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg", "\(full) ", String(full.dropFirst()),
        ] {
            #expect(try code(question(wrong)) == 401, "\(wrong)")
        }
    }

    @Test func aMissingTokenIsAskedFor() throws {
        var access = try access()
        let refusal = access.refusal(of: question(nil), from: ends, at: start)
        #expect(refusal?.error.code == .unauthorized)
        #expect(refusal?.headers["WWW-Authenticate"] == "Bearer realm=\"mediahost\"")
        var basic = question(nil)
        basic.authorization = "Basic \(full)"
        #expect(try code(basic) == 401)
        basic.authorization = "bearer \(full)"
        #expect(try code(basic) == nil)
    }

    /// A page of another site that has its name lead here sends its own name.
    @Test func onlyOurNamesAreAnswered() throws {
        #expect(try code(question(full, host: "evil.example")) == 403)
        #expect(try code(question(full, host: "10.0.0.2")) == 403)
        #expect(try code(question(full, host: "BOX.local")) == nil)
        #expect(try code(question(full, host: "localhost")) == 403)
        let loopback = NetworkAccess.Ends(peer: "127.0.0.1", local: "127.0.0.1", isLoopback: true, network: "127.0.0.1")
        #expect(try code(question(full, host: "localhost"), from: loopback) == nil)
    }

    @Test func pagesOfOthersAreRefused() throws {
        #expect(try code(question(full, origin: "http://10.0.0.1:8080")) == nil)
        for origin in ["http://evil.example", "null", "http://10.0.0.1", "https://10.0.0.1:8080", ""] {
            #expect(try code(question(full, origin: origin)) == 403, "\(origin)")
        }
    }

    @Test func anAddressThatAsksTooOftenWaits() throws {
        var access = try access()
        func ask(_ ends: NetworkAccess.Ends, _ now: ClockTime) -> Int? {
            access.refusal(of: question(full), from: ends, at: now)?.error.code.status
        }
        for _ in 0..<PeerLimits.burst { #expect(ask(ends, start) == nil) }
        #expect(ask(ends, start) == 429)
        var other = ends
        other.network = "10.0.0.10"
        #expect(ask(other, start) == nil)
        #expect(ask(ends, start + .seconds(1)) == nil)
    }

    /// Who guesses waits, and so does who has nothing to show.
    @Test func wrongTokensSilenceTheirAddress() throws {
        var access = try access()
        for _ in 0..<PeerLimits.failures {
            #expect(access.refusal(of: question("wrong"), from: ends, at: start)?.error.code == .unauthorized)
        }
        let last = access.refusal(of: question("wrong"), from: ends, at: start)
        #expect(last?.isNews == true)
        for token in ["wrong", nil] {
            let refusal = access.refusal(of: question(token), from: ends, at: start + .seconds(1))
            #expect(refusal?.error.code == .tooMany && refusal?.headers["Retry-After"] == "30")
        }
        let later = access.refusal(of: question("wrong"), from: ends, at: start + .seconds(31))
        #expect(later?.error.code == .unauthorized)
    }

    /// Another program of the machine, or of the house behind the same router, guesses: the right token is none of its guesses.
    @Test func theRightTokenIsNotRefusedBecauseOfAnothersGuesses() throws {
        var access = try access()
        for _ in 0...PeerLimits.failures { _ = access.refusal(of: question("wrong"), from: ends, at: start) }
        let soon = start + .seconds(1)
        #expect(access.refusal(of: question("wrong"), from: ends, at: soon)?.error.code == .tooMany)
        #expect(access.refusal(of: question(full), from: ends, at: soon) == nil)
        #expect(access.refusal(of: question(readOnly), from: ends, at: soon) == nil)
        // The silence goes on for the others.
        #expect(access.refusal(of: question("wrong"), from: ends, at: soon)?.error.code == .tooMany)
    }

    /// Nor because of how often somebody else asks who has no token at all.
    @Test func strangersDoNotUseUpWhatTheRightTokenMayAsk() throws {
        var access = try access()
        for _ in 0..<PeerLimits.burst { _ = access.refusal(of: question(nil), from: ends, at: start) }
        #expect(access.refusal(of: question(nil), from: ends, at: start)?.error.code == .tooMany)
        #expect(access.refusal(of: question(full), from: ends, at: start) == nil)
    }

    @Test func addressesAreForgottenBeforeTheyFillTheMemory() {
        var limits = PeerLimits()
        for number in 0..<(3 * PeerLimits.most) {
            #expect(limits.ask("\(number)", isKnown: number % 2 == 0, at: start + .milliseconds(Int64(number))) == nil)
        }
        #expect(limits.count == PeerLimits.most)
    }

    @Test(arguments: [
        ("short", "has 5 characters and could be guessed"), ("with a space in the middle", "visible ASCII"),
        ("two\nlines-0123456789abcdef", "visible ASCII"),
    ])
    func weakTokensAreRefused(text: String, reason: String) {
        let error = #expect(throws: ControlError.self) { try AccessToken(Array(text.utf8), from: "file") }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func filesThatOthersMayReadAreRefused() throws {
        let place = try TemporaryDirectory()
        let path = place.path("token")
        try (full + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o644)
        let error = #expect(throws: ControlError.self) { try AccessToken.read(path) }
        #expect(error?.message == "everybody may read the token file `\(path)`: chmod 640 or less keeps it secret")
        chmod(path, 0o640)
        let read = try AccessToken.read(path)
        #expect(read.matches(Array(full.utf8)))
        let missing = #expect(throws: ControlError.self) { try AccessToken.read(place.path("none")) }
        #expect(missing?.code == .denied)
    }
}
