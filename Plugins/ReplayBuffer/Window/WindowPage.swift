internal import CGLib
internal import CReplayPage

/// The page: one HTML document, nothing of it is from elsewhere.
///
/// A plugin's answer has no header fields of its own, so what the page may load stands in the document: itself, by the hash
/// of its script and of its style, and what is served beside it.
///
/// Pure.
enum WindowPage {
    static let html: [UInt8] = {
        var count = 0
        let start = mh_replay_page(&count)
        let page = Array(UnsafeBufferPointer(start: start, count: count))
        let place = find("<head>\n", in: page, from: 0).map { $0 + 7 } ?? 0
        let meta = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy(of: page))\">\n"
        return Array(page[..<place]) + Array(meta.utf8) + Array(page[place...])
    }()

    private static func policy(of page: [UInt8]) -> String {
        [
            "default-src 'none'", "script-src \(hash("script", page))", "style-src \(hash("style", page))",
            "img-src data:", "media-src 'self' blob:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    private static func hash(_ name: String, _ page: [UInt8]) -> String {
        let begin = "<\(name)>"
        guard let start = find(begin, in: page, from: 0).map({ $0 + begin.utf8.count }),
            let end = find("</\(name)>", in: page, from: start),
            let checksum = g_checksum_new(G_CHECKSUM_SHA256)
        else { return "'none'" }
        defer { g_checksum_free(checksum) }
        let bytes = Array(page[start..<end])
        g_checksum_update(checksum, bytes, bytes.count)
        var digest = [UInt8](repeating: 0, count: 32)
        var length = gsize(digest.count)
        g_checksum_get_digest(checksum, &digest, &length)
        guard let text = g_base64_encode(digest, length) else { return "'none'" }
        defer { g_free(text) }
        return "'sha256-\(String(cString: text))'"
    }

    private static func find(_ text: String, in page: [UInt8], from place: Int) -> Int? {
        let text = Array(text.utf8)
        guard place + text.count <= page.count else { return nil }
        return (place...page.count - text.count).first { page[$0] == text[0] && page[$0...].starts(with: text) }
    }
}
