import GStreamerKit
import Testing

@testable import HostCore

@Suite struct WebAccessTests {
    private let start = ClockTime.seconds(100)
    private let ends = NetworkAccess.Ends(peer: "127.0.0.1", local: "127.0.0.1", isLoopback: true, network: "127.0.0.1")

    private func secret(_ byte: UInt8) -> WebSecret { WebSecret([UInt8](repeating: byte, count: WebSecret.bytes)) }

    private func access() -> WebAccess { WebAccess(port: 8123, key: [1, 2, 3]) }

    /// One with a session, whose secret is 9.
    private func entered() -> WebAccess {
        var access = access()
        access.add(key: secret(1), at: start)
        _ = access.redeem(secret(1).text, for: secret(9), at: start)
        return access
    }

    private func question(
        _ target: String, _ method: String = "GET", cookie: WebSecret? = nil, host: String = "127.0.0.1",
        origin: String? = nil, site: String? = nil
    ) -> NetworkAccess.Question {
        NetworkAccess.Question(
            isReading: method == "GET" || method == "HEAD", host: host, hostField: "\(host):8123", origin: origin,
            authorization: nil, method: method, target: target,
            cookie: cookie.map { "theme=dark; mediahost-8123=\($0.text); x=y" }, fetchSite: site)
    }

    private func status(_ access: WebAccess, _ question: NetworkAccess.Question, after seconds: Int64 = 0) -> Int? {
        var access = access
        return access.refusal(of: question, from: ends, at: start + .seconds(seconds))?.error.code.status
    }

    /// A page on another port of the same machine set a cookie of this name for `/v1`. Browsers send the one with the longer
    /// path first, only the first was looked at, and the page's owner was turned away until it was gone.
    @Test func aCookieOfOthersWithOurNameTakesNothingAway() {
        let access = entered()
        var question = question("/v1/status", cookie: secret(9))
        question.cookie = "mediahost-8123=x; mediahost-8123=\(secret(9).text)"
        #expect(status(access, question) == nil)
        question.cookie = "mediahost-8123=\(secret(9).text);mediahost-8123="
        #expect(status(access, question) == nil)
        question.cookie = "mediahost-8123=x; mediahost-8123=\(secret(8).text); xmediahost-8123=\(secret(9).text)"
        #expect(status(access, question) == 401)
    }

    // MARK: Keys

    @Test func aKeyWorksOnce() {
        var access = access()
        access.add(key: secret(1), at: start)
        #expect(status(access, question("/open/\(secret(1).text)")) == nil)
        let isFirst = access.redeem(secret(1).text, for: secret(9), at: start)
        #expect(isFirst)
        #expect(status(access, question("/open/\(secret(1).text)")) == 401)
        let isSecond = access.redeem(secret(1).text, for: secret(8), at: start)
        #expect(!isSecond)
        #expect(status(access, question("/", cookie: secret(9))) == nil)
        #expect(status(access, question("/", cookie: secret(8))) == 401)
    }

    @Test func aKeyIsForgottenAfterAWhile() {
        var access = access()
        access.add(key: secret(1), at: start)
        #expect(status(access, question("/open/\(secret(1).text)"), after: 299) == nil)
        #expect(status(access, question("/open/\(secret(1).text)"), after: 300) == 401)
        let isLate = access.redeem(secret(1).text, for: secret(9), at: start + .seconds(300))
        #expect(!isLate)
    }

    @Test func whatIsNoKeyOpensNothing() {
        var access = access()
        access.add(key: secret(1), at: start)
        for wrong in ["", "0", secret(2).text, secret(1).text + "0", String(secret(1).text.dropLast()), "/"] {
            #expect(status(access, question("/open/\(wrong)")) == 401, "\(wrong)")
            let isWrong = access.redeem(wrong, for: secret(9), at: start)
            #expect(!isWrong, "\(wrong)")
        }
        #expect(status(access, question("/open/\(secret(1).text)", "POST")) == 401)
        #expect(status(access, question("/open/\(secret(1).text)", "HEAD")) == 401)
    }

    @Test func theOldestKeysAndSessionsGo() {
        var access = access()
        for number in 0...UInt8(WebAccess.mostKeys) { access.add(key: secret(number), at: start) }
        #expect(status(access, question("/open/\(secret(0).text)")) == 401)
        for number in 1...UInt8(WebAccess.mostKeys) {
            let isOneOfMany = access.redeem(secret(number).text, for: secret(100 + number), at: start)
            #expect(isOneOfMany)
        }
        access.add(key: secret(50), at: start)
        let isNewest = access.redeem(secret(50).text, for: secret(200), at: start)
        #expect(isNewest)
        #expect(status(access, question("/", cookie: secret(101))) == 401)
        #expect(status(access, question("/", cookie: secret(102))) == nil)
        #expect(status(access, question("/", cookie: secret(200))) == nil)
    }

    @Test func secretsAreLongAndDiffer() {
        #expect(WebSecret.random().text.utf8.count == 64)
        #expect(Set((0..<100).map { _ in WebSecret.random().text }).count == 100)
    }

    // MARK: Sessions

    @Test func aSessionEnds() {
        #expect(status(entered(), question("/v1/status", cookie: secret(9)), after: 12 * 3600 - 1) == nil)
        #expect(status(entered(), question("/v1/status", cookie: secret(9)), after: 12 * 3600) == 401)
    }

    @Test func withoutTheCookieNothingIsAnswered() {
        #expect(status(entered(), question("/")) == 401)
        #expect(status(entered(), question("/v1/pause", "POST", origin: "http://127.0.0.1:8123")) == 401)
        var foreign = question("/")
        foreign.cookie = "mediahost-8124=\(secret(9).text); amediahost-8123=\(secret(9).text)"
        #expect(status(entered(), foreign) == 401)
        var access = entered()
        let refusal = access.refusal(of: question("/"), from: ends, at: start)
        #expect(refusal?.headers["WWW-Authenticate"]?.hasPrefix("Cookie realm=\"mediahost\"") == true)
    }

    @Test func changesHaveToShowWhereTheyAreFrom() {
        func change(_ origin: String?, _ site: String?) -> Int? {
            status(entered(), question("/v1/pause", "POST", cookie: secret(9), origin: origin, site: site))
        }
        #expect(change("http://127.0.0.1:8123", "same-origin") == nil)
        #expect(change("http://127.0.0.1:8123", nil) == nil)
        #expect(change(nil, "same-origin") == nil)
        #expect(change(nil, nil) == 403)
        #expect(change(nil, "same-site") == 403)
        #expect(change(nil, "none") == 403)
        #expect(change("http://127.0.0.1:9000", "same-site") == 403)
        #expect(change("https://127.0.0.1:8123", nil) == 403)
        #expect(change("null", nil) == 403)
    }

    /// Cookies do not know ports: the browser sends them for a picture on somebody else's page here, too.
    @Test func pagesOnOtherPortsReadNothing() {
        func read(_ site: String?, _ mode: String? = nil, _ destination: String? = nil) -> Int? {
            var question = question("/v1/pipelines/porch/snapshot", cookie: secret(9), site: site)
            question.fetchMode = mode
            question.fetchDestination = destination
            return status(entered(), question)
        }
        #expect(read(nil) == nil && read("same-origin") == nil && read("none") == nil)
        #expect(read("same-site", "no-cors", "image") == 403)
        #expect(read("cross-site", "no-cors", "image") == 403)
        #expect(read("same-site", "navigate", "iframe") == 403)
        #expect(read("same-site", "navigate", "document") == nil)
    }

    @Test func onlyTheLoopbacksNamesAreAnswered() {
        #expect(status(entered(), question("/", cookie: secret(9), host: "localhost")) == nil)
        #expect(status(entered(), question("/", cookie: secret(9), host: "evil.example")) == 403)
        #expect(status(entered(), question("/open/\(secret(1).text)", host: "evil.example")) == 403)
    }

    // MARK: Tickets

    @Test func aTicketNeedsNoCookieAndOnlyReads() {
        let url = access().tickets.signed("/v1/status", until: start + .seconds(60))
        #expect(status(access(), question(url)) == nil)
        #expect(status(access(), question(url, "HEAD")) == nil)
        #expect(status(access(), question(url, site: "cross-site")) == nil)
        for method in ["POST", "DELETE", "PUT", "OPTIONS"] {
            #expect(status(access(), question(url, method)) == 403, "\(method)")
        }
        #expect(status(access(), question(url), after: 60) == 403)
        #expect(status(access(), question(url + "x")) == 403)
        #expect(status(access(), question(url, origin: "http://evil.example")) == 403)
        // A wrong one is not made good by a cookie.
        #expect(status(entered(), question(url + "x", cookie: secret(9))) == 403)
    }

    @Test func anAddressThatAsksTooOftenHasToWait() {
        var access = entered()
        for _ in 0..<PeerLimits.burst {
            let refusal = access.refusal(of: question("/", cookie: secret(9)), from: ends, at: start)
            #expect(refusal == nil)
        }
        let refusal = access.refusal(of: question("/", cookie: secret(9)), from: ends, at: start)
        #expect(refusal?.error.code == .tooMany)
    }

    /// Somebody else on this machine asks without a pause, and has nothing to show.
    @Test func strangersDoNotKeepThePageOut() {
        var access = entered()
        for _ in 0...PeerLimits.burst { _ = access.refusal(of: question("/"), from: ends, at: start) }
        #expect(access.refusal(of: question("/"), from: ends, at: start)?.error.code == .tooMany)
        #expect(access.refusal(of: question("/", cookie: secret(9)), from: ends, at: start) == nil)
    }
}
