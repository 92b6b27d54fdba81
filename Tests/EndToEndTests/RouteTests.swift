import Foundation
import Testing

/// What a plugin serves over the running host's HTTP.
@Suite(.timeLimit(.minutes(2)))
struct RouteTests {
    private static let config = """
        mediahost: 1
        pipelines: { camera: { launch: videotestsrc is-live=true ! fakesink } }
        plugins: { gallery: { module: Gallery } }
        """

    @Test func aPluginServesItsPage() async throws {
        try await withHost(Self.config, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer at ")
            let page = try await HTTPExchange.send("GET /plugins/gallery/ HTTP/1.1\r\nHost: h\r\n\r\n", to: host.socket)
            #expect(page.hasPrefix("HTTP/1.1 200 "))
            #expect(page.contains("Content-Type: text/html; charset=utf-8\r\n"))
            #expect(page.hasSuffix("\r\n\r\n<!doctype html><title>Gallery</title>"))
            let echo = try await HTTPExchange.send(
                "POST /plugins/gallery/echo HTTP/1.1\r\nHost: h\r\nContent-Type: a/b\r\nContent-Length: 5\r\n\r\n{not ",
                to: host.socket)
            #expect(echo.contains("Content-Type: a/b\r\n") && echo.hasSuffix("\r\n\r\n{not "))
            let list = try await HTTPExchange.send("GET /plugins HTTP/1.1\r\nHost: h\r\n\r\n", to: host.socket)
            #expect(list.contains(#""path":"/plugins/gallery/open/{id}""#))
            // One that is never answered does not hold up the end.
            async let open = HTTPExchange.send(
                "GET /plugins/gallery/open/1 HTTP/1.1\r\nHost: h\r\n\r\n", to: host.socket)
            try await host.log.next(containing: "somebody waits")
            try await host.terminate()
            _ = try await open
        }
    }
}
