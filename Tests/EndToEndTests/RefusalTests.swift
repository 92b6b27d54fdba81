import Foundation
import Testing

/// What a client is told that asked for something wrong: never that the host has failed, and which field it is.
@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: >
              videotestsrc is-live=true name=source ! video/x-raw,width=64,height=48 ! tee name=t
              t. ! queue ! x264enc tune=zerolatency ! h264parse name=encoded ! fakesink
              t. ! queue ! fakesink name=view
            settable: [source.pattern]
        plugins:
          replay: { module: ReplayBuffer, video: camera/encoded.src, window: 10s, memory: 4MiB }

        """

    private static let wrong: [(request: String, body: String, status: Int, code: String, field: String)] = [
        // A plugin's own refusals once were faults of the host's (500) where the host had no word for them, and named nothing.
        ("POST /v1/plugins/replay/commands/save", #"{"to":"/dev/full/x.mkv"}"#, 400, "invalid", "to"),
        ("POST /v1/plugins/replay/commands/save", #"{"to":"/nowhere/x.mkv"}"#, 404, "not-found", "to"),
        ("POST /v1/plugins/replay/commands/save", #"{"to":"/tmp/x.avi"}"#, 400, "invalid", "to"),
        ("POST /v1/plugins/replay/commands/save", #"{"to":"/tmp/x.mkv","exact":true}"#, 422, "unsupported", "exact"),
        ("POST /v1/plugins/replay/commands/save", #"{"to":"/tmp/x.mkv","last":"5"}"#, 400, "invalid", "last"),
        ("POST /v1/plugins/replay/commands/unmark", #"{"marker":"none"}"#, 404, "not-found", "marker"),
        ("POST /v1/pipelines/camera/properties/source.pattern", #"{"value":"sparkling"}"#, 400, "invalid", "value"),
        ("GET /v1/pipelines/camera/snapshot?pad=nobody.src", "", 404, "not-found", "pad"),
        ("GET /v1/pipelines/camera/snapshot?pad=view.src", "", 404, "not-found", "pad"),
        ("GET /v1/pipelines/camera/snapshot?width=0", "", 400, "invalid", "width"),
        ("POST /v1/pipelines/camera/properties/source.name", #"{"value":"x"}"#, 403, "denied", "property"),
    ]

    @Test func aRefusalHasItsCodeAndNamesTheField() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            for (request, body, status, code, field) in Self.wrong {
                let answer = try await HTTPExchange.send(
                    "\(request) HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
                    to: host.socket)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request) \(body): \(answer)")
                let document = try JSON(answer.components(separatedBy: "\r\n\r\n").last ?? "")
                #expect(
                    document["code"].string == code && document["field"].string == field,
                    "\(request) \(body): \(answer)")
            }
            try await host.terminate()
        }
    }
}
