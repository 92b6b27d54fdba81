internal import CGLib
internal import CWebPage

/// The page and what goes with it: one HTML document without anything from elsewhere.
///
/// - Thread: any. Pure.
enum WebPage {
    /// What each answer of the page's port has, unless it says otherwise.
    static let headers = [
        "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN",
    ]

    /// The same for one that has a ticket: any page may show what it leads to.
    static func headers(of path: String) -> [String: String] {
        guard path.hasPrefix(MediaTicket.place) else { return headers }
        return headers.merging(["Cross-Origin-Resource-Policy": "cross-origin"]) { $1 }
    }

    /// The page itself.
    static func answer() -> ControlResponse {
        let html = document
        return ControlResponse(
            payload: .init(contentType: contentType, bytes: html),
            headers: headers.merging(["Content-Security-Policy": policy(of: html)]) { $1 })
    }

    /// A page for who is not let in, and may not know what this is.
    static func answer(_ refusal: NetworkAccess.Refusal) -> ControlResponse {
        let html = Array(
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="data:,">
            <title>mediahost</title>
            <style>
            body { font: 1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
            h1 { font-size: 1.25rem; }
            code { font-size: 1rem; padding: .1em .4em; border: 1px solid GrayText; border-radius: 4px; }
            </style>
            <h1>This page is for who runs the host</h1>
            <p>Run <code>mediahost web</code> on the machine where the host runs, and open the address that it prints.</p>
            <p>An address works once, within five minutes. The session that it opens holds for twelve hours, or until the page is closed.</p>

            """.utf8)
        return ControlResponse(
            status: refusal.error.code.status, payload: .init(contentType: contentType, bytes: html),
            headers: headers.merging(["Content-Security-Policy": policy(of: html)]) { $1 }
                .merging(refusal.headers) { $1 })
    }

    /// Nothing from elsewhere, and no script or style but those that stand in it.
    static func policy(of html: [UInt8]) -> String {
        [
            "default-src 'none'", "script-src \(sources("script", html))", "style-src \(sources("style", html))",
            "img-src 'self' blob: data:", "media-src 'self'", "connect-src 'self'", "base-uri 'none'",
            "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    private static let contentType = "text/html; charset=utf-8"

    private static var document: [UInt8] {
        var count = 0
        let start = mh_web_page(&count)
        return Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The hashes of what stands between each `<name>` and its end.
    private static func sources(_ name: String, _ html: [UInt8]) -> String {
        let (begin, end) = (Array("<\(name)>".utf8), Array("</\(name)>".utf8))
        var hashes: [String] = []
        var place = 0
        while let opening = find(begin, in: html, from: place) {
            let start = opening + begin.count
            guard let closing = find(end, in: html, from: start) else { break }
            hashes.append("'sha256-\(digest(Array(html[start..<closing])))'")
            place = closing + end.count
        }
        return hashes.isEmpty ? "'none'" : hashes.joined(separator: " ")
    }

    private static func find(_ text: [UInt8], in html: [UInt8], from place: Int) -> Int? {
        guard place + text.count <= html.count else { return nil }
        return (place...html.count - text.count).first { html[$0] == text[0] && html[$0...].starts(with: text) }
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return "" }
        defer { g_checksum_free(checksum) }
        g_checksum_update(checksum, bytes, bytes.count)
        var digest = [UInt8](repeating: 0, count: 32)
        var length = gsize(digest.count)
        g_checksum_get_digest(checksum, &digest, &length)
        guard let text = g_base64_encode(digest, length) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
