/// What is done to a request before it is sent.
extension FuzzRequest {
    /// A seed, with its length, and up to four things wrong with it.
    static func random(_ random: inout FuzzRandom) -> [UInt8] {
        var request = random.pick(seeds)
        if random.once(in: 8) { request.body = json(&random) }
        if !request.body.isEmpty || random.once(in: 4) {
            if random.once(in: 6) {
                request.chunks = random.pick(ChunkFault.allCases)
                request.set("Transfer-Encoding", "chunked")
            } else {
                request.set("Content-Length", "\(request.body.count)")
            }
        }
        for _ in 0..<random.below(5) { request.spoil(&random) }
        var bytes = request.bytes
        if random.once(in: 3) { for _ in 0...random.below(4) { spoil(&bytes, &random) } }
        return bytes
    }

    /// One that is well-formed HTTP, whatever it asks for: what stands behind it on the connection is read, too.
    static func wellFormed(_ random: inout FuzzRandom) -> [UInt8] {
        var request = random.pick(seeds)
        let ends = [
            "", "", "", "/", "x", "%", "%zz", "%00", "%ff%fe", "%2F..", "?a", "?a=b&a=c", "?last=-1", "?save=maybe",
            "?%", "//",
        ]
        if request.target != Array("*".utf8) { request.target += Array(random.pick(ends).utf8) }
        request.method =
            random.once(in: 6) ? Array(random.pick(["GET", "POST", "PUT", "PATCH", "DELETE"]).utf8) : request.method
        if random.once(in: 2), request.method != Array("GET".utf8) { request.body = json(&random) }
        if random.once(in: 6) { request.set("Last-Event-ID", random.pick(["x", "0.1", "0000000000000000.5"])) }
        if random.once(in: 6) { request.set("Content-Type", random.pick(["", "text/plain", "a/b; charset=\u{e9}"])) }
        request.set("Content-Length", "\(request.body.count)")
        return request.bytes
    }

    private mutating func set(_ name: String, _ value: String) { fields.append((Array(name.utf8), Array(value.utf8))) }

    private mutating func spoil(_ random: inout FuzzRandom) {
        switch random.below(14) {
        case 0:
            method = Array(
                random.pick(["", "get", "G\0T", "TRACE", "CONNECT", "PRI", "PUT", "DELETE", "É", "A B"]).utf8)
        case 1: target = Self.target(target, &random)
        case 2:
            version = Array(
                random.pick(["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.1 x", "HTTP/9.9", "HTTP/1.", "", "http/1.1"])
                    .utf8)
        case 3, 4: set("Content-Length", Self.length(body.count, &random))
        case 5:
            set(
                "Transfer-Encoding",
                random.pick(["chunked", "gzip", "identity", "chunked, chunked", "\u{b}chunked", ""]))
        case 6: set("Host", random.pick(["", "a b", "evil.example", "[::1", "x:99999", "\u{0}", "mediahost"]))
        case 7:
            set(
                random.pick([
                    "Connection", "Expect", "Upgrade", "Range", "Last-Event-ID", "Content-Type", "Origin", "TE",
                ]),
                random.pick([
                    "close", "keep-alive", "100-continue", "x", "h2c", "bytes=0-", "bytes=9-1", "bytes=-,", "a.1",
                    "\u{0}", "0000000000000000.5", "application/json; charset=\u{0}",
                ]))
        case 8: fields.append((random.bytes(random.below(12)), random.bytes(random.below(40))))
        case 9: newline = random.pick([[10], [13], [13, 13, 10], [13, 10, 32], [0, 13, 10]])
        case 10: body = Self.json(&random)
        case 11: fields = []
        case 12:
            guard random.once(in: 20) else { return fields.reverse() }
            for number in 0..<random.pick([50, 500, 3000]) { set("X-\(number)", String(repeating: "y", count: 20)) }
        default: chunks = chunks == nil ? random.pick(ChunkFault.allCases) : nil
        }
    }

    private static func length(_ count: Int, _ random: inout FuzzRandom) -> String {
        random.pick([
            "-1", "\(count)", "\(count + 1)", "\(max(count - 1, 0))", "0", "+\(count)", "0x10", "1e3", " \(count) ", "",
            "\(count), \(count)", "\(count),\(count + 1)", "18446744073709551615", "18446744073709551617",
            "9223372036854775808", "99999999999999999999999999", "1048577", "٣", "\(count)\u{0}",
        ])
    }

    private static func target(_ target: [UInt8], _ random: inout FuzzRandom) -> [UInt8] {
        switch random.below(12) {
        case 0: return Array("*".utf8)
        case 1: return Array("http://other.example".utf8) + target
        case 2: return Array("/".utf8) + target
        case 3: return target + Array(random.pick(["%", "%0", "%zz", "%00", "%ff%fe", "%2e%2e", "%2F"]).utf8)
        case 4: return target + random.bytes(random.below(30))
        case 5:
            return target
                + Array(random.pick(["?", "?a", "?a=b&a=c", "?last=-1", "?lines=99999999999", "#x", "?%"]).utf8)
        case 6:
            return Array("/v1/pipelines/".utf8)
                + Array(repeating: UInt8(ascii: "p"), count: random.pick([1024, 1025, 5000]))
        case 7: return random.once(in: 10) ? target + Array(repeating: UInt8(ascii: "q"), count: 70_000) : target + [9]
        case 8: return target + [0] + target
        case 9: return Array("/v1/../".utf8) + target
        case 10: return []
        default: return Array("/v1/pipelines/camera/properties/".utf8) + random.bytes(random.below(20))
        }
    }

    private static func json(_ random: inout FuzzRandom) -> [UInt8] {
        func repeated(_ text: String, _ count: Int) -> [UInt8] { Array(String(repeating: text, count: count).utf8) }
        switch random.below(14) {
        case 0: return repeated("[", random.pick([63, 64, 65, 1000, 50_000]))
        case 1: return repeated(#"{"a":"#, random.pick([63, 64, 65, 5000])) + [49]
        case 2: return Array(#"{"value":"#.utf8) + repeated("[", 64) + repeated("]", 64) + [125]
        case 3: return Array(#"{"value":"\ud800"}"#.utf8)
        case 4: return Array(#"{"value":"a\u0000b"}"#.utf8)
        case 5: return Array(#"{"value":""#.utf8) + random.bytes(8) + Array(#""}"#.utf8)
        case 6: return Array(#"{"value":1e999,"value":-0,"on":1}"#.utf8)
        case 7: return Array(#"{"value":"x","value":"ball"}"#.utf8)
        case 8: return Array("null".utf8)
        case 9: return Array(#"{"position":-1,"rate":1e308}"#.utf8)
        case 10: return Array(#"{"value":"#.utf8)
        case 11: return [0xEF, 0xBB, 0xBF] + Array("{}".utf8)
        case 12: return random.bytes(random.below(200))
        default: return Array(#"{"value":"\#(String(repeating: "v", count: random.pick([1, 1000, 100_000])))"}"#.utf8)
        }
    }

    /// Bytes, whatever they mean.
    private static func spoil(_ bytes: inout [UInt8], _ random: inout FuzzRandom) {
        guard !bytes.isEmpty else { return }
        let place = random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] ^= 1 << UInt8(random.below(8))
        case 2: bytes.insert(contentsOf: random.bytes(1 + random.below(6)), at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(20)))
        case 4: bytes.insert(contentsOf: Array(bytes[place...].prefix(random.below(100))), at: place)
        default: bytes.removeSubrange(place...)
        }
    }
}
