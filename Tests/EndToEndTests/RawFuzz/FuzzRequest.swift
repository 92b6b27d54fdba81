/// A request that was good before it was mutated.
struct FuzzRequest {
    var method: [UInt8]
    var target: [UInt8]
    var version = Array("HTTP/1.1".utf8)
    var fields: [(name: [UInt8], value: [UInt8])] = [(Array("Host".utf8), Array("mediahost".utf8))]
    var body: [UInt8] = []
    /// What a line of the head ends with.
    var newline = Array("\r\n".utf8)
    /// In chunks, and how they are spoilt.
    var chunks: ChunkFault?

    enum ChunkFault: CaseIterable {
        case none, negative, huge, noNumber, noBreak, noEnd, extended, trailer
    }

    init(_ method: String, _ target: String, _ body: String = "") {
        self.method = Array(method.utf8)
        self.target = Array(target.utf8)
        self.body = Array(body.utf8)
    }

    /// Requests that a host of the campaign's config answers at once.
    static let seeds: [FuzzRequest] = [
        .init("GET", "/v1"), .init("GET", "/v1/status"), .init("GET", "/v1/pipelines"),
        .init("GET", "/v1/pipelines/camera"), .init("GET", "/v1/pipelines/camera/properties/source.pattern"),
        .init("POST", "/v1/pipelines/camera/properties/source.pattern", #"{"value":"ball"}"#),
        .init("POST", "/v1/pipelines/camera/properties/source.pattern", #"{"value":"snow","save":false}"#),
        .init("GET", "/v1/pipelines/camera/graph?format=dot"), .init("GET", "/v1/pipelines/camera/graph?format=json"),
        .init("GET", "/v1/pipelines/camera/position"), .init("POST", "/v1/pipelines/camera/rate", #"{"rate":1.0}"#),
        .init("POST", "/v1/pipelines/camera/seek", #"{"position":"1s","to":"accurate"}"#),
        .init("POST", "/v1/pipelines/camera/mode", #"{"mode":"video"}"#),
        .init("GET", "/v1/plugins"), .init("GET", "/v1/plugins/works"), .init("GET", "/v1/commands"),
        .init("POST", "/v1/plugins/works/commands/state", "{}"),
        .init("PATCH", "/v1/plugins/works/config?save=false", #"{"every":"20ms"}"#),
        .init("GET", "/v1/config"), .init("GET", "/v1/config/overrides"), .init("GET", "/v1/rules"),
        .init("DELETE", "/v1/config/overrides?key=camera/source.pattern"),
        .init("POST", "/v1/lock"), .init("POST", "/v1/unlock"), .init("POST", "/v1/low-power", #"{"on":false}"#),
        .init("POST", "/v1/interrupt/end", #"{"source":"x","resume":true}"#),
        .init("GET", "/v1/logs?lines=3&level=warning"), .init("GET", "/v1/events?follow=false&last=2"),
        .init("GET", "/v1/logs/stream?follow=false&last=1"), .init("GET", "/metrics"),
        .init("GET", "/plugins"), .init("GET", "/plugins/gallery/"),
        .init("POST", "/plugins/gallery/echo", "some bytes of a plugin's own"), .init("HEAD", "/v1/status"),
        .init("OPTIONS", "*"), .init("GET", "/openapi.json"),
    ]

    /// As it goes over the wire.
    var bytes: [UInt8] {
        let space = UInt8(ascii: " ")
        var result = method + [space] + target
        if !version.isEmpty { result += [space] + version }
        result += newline
        for field in fields { result += field.name + [UInt8(ascii: ":"), space] + field.value + newline }
        return result + newline + (chunks.map { Self.chunked(body, $0) } ?? body)
    }

    private static func chunked(_ body: [UInt8], _ fault: ChunkFault) -> [UInt8] {
        let middle = body.count / 2
        var result: [UInt8] = []
        for part in [body[..<middle], body[middle...]] where !part.isEmpty {
            let size =
                switch fault {
                case .negative: "-\(part.count)"
                case .huge: "FFFFFFFFFFFFFFFFF"
                case .noNumber: "zz"
                case .extended: String(part.count, radix: 16) + ";a=\"b\";c"
                default: String(part.count, radix: 16)
                }
            result += Array("\(size)\r\n".utf8) + part + (fault == .noBreak ? [] : [13, 10])
        }
        switch fault {
        case .noEnd: return result
        case .trailer: return result + Array("0\r\nContent-Length: 5\r\nX-More: y\r\n\r\n".utf8)
        default: return result + Array("0\r\n\r\n".utf8)
        }
    }
}
