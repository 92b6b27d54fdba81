import Foundation
import GStreamerKit
import Testing

@testable import HostCore

@Suite struct MediaTicketTests {
    private let tickets = MediaTicket(key: Array("a key of a test".utf8))
    private let start = ClockTime.seconds(1000)

    private func signed(_ target: String, seconds: Int64 = 60) -> String {
        tickets.signed(target, until: start + .seconds(seconds))
    }

    @Test func whatIsSignedIsAllowedUntilItsEnd() {
        let url = signed("/v1/pipelines/porch/snapshot?width=640")
        #expect(url.hasPrefix("/media/1060-0-"))
        #expect(MediaTicket.inner(of: url) == "/v1/pipelines/porch/snapshot?width=640")
        #expect(tickets.allows(url, at: start))
        #expect(tickets.allows(url, at: start + .seconds(59)))
        #expect(!tickets.allows(url, at: start + .seconds(60)))
    }

    @Test func itHoldsForThatVeryPathAndQuery() {
        let url = signed("/v1/pipelines/porch/snapshot?width=640")
        for other in [
            url + "0", url.replacing("width=640", with: "width=641"), url.replacing("porch", with: "p%6Frch"),
            url.replacing("?width=640", with: ""), url.replacing("/v1/", with: "//v1/"), url + "&format=png",
        ] {
            #expect(other != url && !tickets.allows(other, at: start), "\(other)")
        }
    }

    @Test func noneOfItsPartsCanBeChanged() throws {
        let url = signed("/v1/status")
        let other = MediaTicket(key: Array("another key".utf8)).signed("/v1/status", until: start + .seconds(60))
        #expect(!tickets.allows(other, at: start))
        for forged in [
            url.replacing("/1060-", with: "/9060-"), url.replacing("-0-", with: "-4-"),
            url.replacing("-0-", with: "-99-"),
            url.replacing("-0-", with: "--1-"), url.uppercased().replacing("/MEDIA/", with: "/media/"),
            "/media/1060-0-/v1/status", "/media/1060-0/v1/status", "/media//v1/status", "/media/", "/v1/status",
            "/media/99999999999999999999-0-00/v1/status",
        ] {
            #expect(forged != url && !tickets.allows(forged, at: start), "\(forged)")
        }
        // Each single digit of the code counts.
        let code = try #require(url.split(separator: "/").dropFirst().first?.split(separator: "-").last)
        for index in code.indices {
            var wrong = url
            let digit = url[index]
            wrong.replaceSubrange(index...index, with: digit == "0" ? "1" : "0")
            #expect(!tickets.allows(wrong, at: start), "\(wrong)")
        }
    }

    @Test func aPlaceOfAPluginStandsForAllBelowIt() {
        let url = signed("/plugins/camera/live/")
        #expect(url.hasPrefix("/media/1060-21-"))
        for below in ["", "index.m3u8", "a/b.ts", "b.ts?part=3"] {
            #expect(tickets.allows(url + below, at: start), "\(below)")
        }
        for climbing in ["../secret", "a/%2e%2e/b", "..%2Fsecret", "a/./b", "%zz"] {
            #expect(!tickets.allows(url + climbing, at: start), "\(climbing)")
        }
        #expect(!tickets.allows(url.replacing("/live/", with: "/dead/"), at: start))
        #expect(!tickets.allows(String(url.dropLast()), at: start))
        #expect(!tickets.allows(url + "index.m3u8", at: start + .seconds(60)))
    }

    @Test(arguments: [
        "", "v1/status", "/", "/v1/", "/plugins/", "/v1/pipelines/", "/v1/web", "/v1/web/media-urls", "/v1/web?x",
        "/open/abc", "/v1/a b", "/v1/a#b", "/v1/../web", "/plugins/x/%2e%2E/", "/v1/ä", "/v1/a\r\nb",
        "/media/1-0-a/v1/status",
    ])
    func whatCannotBeSignedIsNamed(_ target: String) {
        #expect(MediaTicket.complaint(about: target) != nil)
    }

    @Test(arguments: [
        "/v1/status", "/metrics", "/v1/events?filter=a.*", "/plugins/a/", "/plugins/a/b/", "/plugins/a/b.m3u8",
    ])
    func whatCanBeSignedIsNot(_ target: String) {
        #expect(MediaTicket.complaint(about: target) == nil)
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        guard let range = self.range(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }
}
