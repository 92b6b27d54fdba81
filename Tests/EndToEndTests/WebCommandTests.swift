import Foundation
import Testing

/// `mediahost web` without a browser.
@Suite(.timeLimit(.minutes(10)))
struct WebCommandTests {
    private static let config = """
        mediahost: 1
        pipelines: { camera: { launch: videotestsrc is-live=true ! fakesink } }
        """

    private func get(_ url: String, _ field: String = "") async throws -> String {
        let rest = url.dropFirst("http://127.0.0.1:".count)
        let port = try #require(UInt16(rest.prefix { $0 != "/" }))
        return try await HTTPExchange.send(
            "GET \(rest.drop { $0 != "/" }) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(field)\r\n",
            port: port)
    }

    @Test func anAddressWorksOnceAndASignedOneForItsTime() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await host.log.next(containing: "first buffer at ")
            let early = try await host.ask("web", "--sign", "/v1/status")
            #expect(
                early.ending == .exit(1) && early.errors.contains("`mediahost web` opens its port"), "\(early.errors)")
            let opened = try await host.ask("web")
            let url = opened.output.trimmingCharacters(in: .newlines)
            try await host.log.next(containing: "the page is open on 127.0.0.1 port ")
            let first = try await get(url)
            #expect(first.hasPrefix("HTTP/1.1 303 ") && first.contains("HttpOnly; SameSite=Strict"))
            #expect(try await get(url).hasPrefix("HTTP/1.1 401 "))
            let signed = try await host.ask(
                "web", "--sign", "/v1/pipelines/camera/snapshot?width=32", "--lifetime", "10min")
            let picture = try await get(signed.output.trimmingCharacters(in: .newlines))
            #expect(picture.hasPrefix("HTTP/1.1 200 ") && picture.contains("Content-Type: image/jpeg"))
            let answer = try await host.answer("web", "--sign", "/metrics")
            #expect(answer["expires_in_s"].int == 3600 && answer["path"].string?.hasPrefix("/media/") == true)
            #expect(try await host.ask("web", "--close").output == "the page is closed\n")
            await #expect(throws: (any Error).self) { try await get(url) }
            try await host.terminate()
        }
    }

    @Test(arguments: [
        ["--port", "x"], ["--port", "0"], ["--port", "70000"], ["--close", "--port", "1"], ["--lifetime", "1h"],
        ["--sign", "/v1/status", "--close"], ["--sign", "/v1/status", "--port", "80"], ["page"],
    ])
    func whatDoesNotFitIsUsage(_ words: [String]) async throws {
        let place = try Workplace()
        let result = try await Tool.run(Workplace.mediahost, ["web"] + words, in: place.directory)
        #expect(result.ending == .exit(2), "\(result.errors)")
    }
}
