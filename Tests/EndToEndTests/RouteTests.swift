import Foundation
import Testing

/// What a plugin serves over the running host's HTTP.
@Suite(.timeLimit(.minutes(10)))
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

    /// 20 MiB from a file: whole, in parts, and its head alone.
    @Test func aFileIsSentWithRanges() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer at ")
            func fetch(_ options: String...) async throws -> String {
                try await Tool.require(
                    "curl",
                    ["-sS", "--unix-socket", host.socket, "-D", "-", "http://h/v1/plugins/gallery/files/clip"]
                        + options,
                    in: place.directory
                ).output
            }
            let whole = try await fetch("-o", "clip")
            #expect(
                whole.hasPrefix("HTTP/1.1 200 OK\r\n") && whole.contains("Content-Length: \(20 << 20)\r\n"), "\(whole)")
            #expect(
                whole.contains("Content-Type: text/plain\r\n") && whole.contains("X-Content-Type-Options: nosniff\r\n"))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: place.path("clip")))
            #expect(bytes.count == 20 << 20 && bytes.suffix(16) == Data("2621438\n2621439\n".utf8))
            let part = try await fetch("-r", "8-23")
            #expect(
                part.hasPrefix("HTTP/1.1 206 Partial Content\r\n") && part.hasSuffix("\r\n\r\n0000001\n0000002\n"),
                "\(part)")
            #expect(part.contains("Content-Range: bytes 8-23/\(20 << 20)\r\n"))
            #expect(try await fetch("-r", "-8").hasSuffix("\r\n\r\n2621439\n"))
            let beyond = try await fetch("-r", "\(20 << 20)-")
            #expect(
                beyond.hasPrefix("HTTP/1.1 416 ") && beyond.contains("Content-Range: bytes */\(20 << 20)\r\n"),
                "\(beyond)")
            let several = try await fetch("-r", "0-7,16-23", "-o", "several")
            #expect(several.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let head = try await fetch("-I")
            #expect(head.contains("Content-Length: \(20 << 20)\r\n") && head.hasSuffix("\r\n\r\n"), "\(head)")
            let old = try await fetch("-0", "-r", "0-7")
            #expect(old.hasPrefix("HTTP/1.0 206 ") && old.hasSuffix("0000000\n"), "\(old)")
            let untyped = try await HTTPExchange.send(
                "GET /plugins/gallery/files/untyped HTTP/1.1\r\nHost: h\r\n\r\n", to: host.socket)
            #expect(untyped.contains("that was no answer"))
            try await host.terminate()
        }
    }

    @Test func whatIsMadeWhileItIsSentComesWholeAndItsMakerHearsThatTheClientWent() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer at ")
            let address = ["-sS", "--unix-socket", host.socket, "http://h/plugins/gallery/files/lines"]
            let lines = try await Tool.require("curl", address, in: place.directory).output.split(separator: "\n")
            #expect(lines.count == 100_000 && lines.last == "99999")
            let raw = try await HTTPExchange.send(
                "GET /plugins/gallery/files/lines HTTP/1.1\r\nHost: h\r\n\r\n", to: host.socket)
            #expect(raw.contains("Transfer-Encoding: chunked\r\n") && raw.hasSuffix("\r\n0\r\n\r\n"))
            // Reads a little and goes.
            _ = try await Tool.run(
                "sh", ["-c", "curl -sSN --limit-rate 1k \(address.dropFirst().joined(separator: " ")) | head -c 1"],
                in: place.directory)
            try await host.log.next(containing: "nobody reads any more")
            try await host.terminate()
        }
    }
}
