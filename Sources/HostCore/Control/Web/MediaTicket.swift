internal import CGLib
internal import GStreamerKit

/// An address that shows by itself that it may be read: `/media/TICKET/v1/pipelines/porch/snapshot?width=640`.
///
/// `TICKET` is `END-LENGTH-CODE`: the second at which it ends, by the host's own clock; how many bytes of the path the code is
/// about, or 0 for the whole path and its query; and an HMAC (SHA-256) over the method, these two and those bytes. It
/// stands in the path, because what a playlist names relatively keeps the path and loses the query.
///
/// - Thread: any. A value; holds the key.
struct MediaTicket: Sendable {
    static let place = "/media/"
    static let longestBytes = 4096

    private let key: [UInt8]

    /// - Parameter key: random, and of nobody else.
    init(key: [UInt8]) { self.key = key }

    /// - Parameter target: what `complaint` has nothing to say of. One that ends in a slash is a place, and stands for all that
    ///   is below it.
    /// - Returns: path and query.
    func signed(_ target: String, until end: ClockTime) -> String {
        let second = (end.nanoseconds + 999_999_999) / 1_000_000_000
        let length = target.hasSuffix("/") ? target.utf8.count : 0
        return "\(Self.place)\(second)-\(length)-\(code(second, length, Array(target.utf8)))\(target)"
    }

    /// What is signed there, ticket taken off; nil where the target has no ticket that looks like one.
    static func inner(of target: String) -> String? { Parts(target)?.inner }

    /// Whether its ticket is ours, of this very target, and holds still.
    func allows(_ target: String, at now: ClockTime) -> Bool {
        guard let parts = Parts(target) else { return false }
        let inner = Array(parts.inner.utf8)
        guard parts.length <= inner.count else { return false }
        let covered = parts.length == 0 ? inner : Array(inner[..<parts.length])
        // The code first: who forges one learns nothing.
        guard ConstantTime.areEqual(Array(parts.code.utf8), Array(code(parts.second, parts.length, covered).utf8))
        else {
            return false
        }
        return now.nanoseconds / 1_000_000_000 < parts.second && (parts.length == 0 || !Self.climbs(parts.inner))
    }

    /// Why a target cannot be signed; nil: it can.
    static func complaint(about target: String) -> String? {
        let bytes = target.utf8
        guard bytes.count <= longestBytes, bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { return "must be a path as it goes over the wire, percent-encoded, of \(longestBytes) bytes at most" }
        let isOurs = ["/v1/", "/plugins/"].contains(where: target.hasPrefix) || target == "/metrics"
        guard isOurs, target != "/v1/web", !target.hasPrefix("/v1/web/"), !target.hasPrefix("/v1/web?") else {
            return "must begin with `/v1/` or `/plugins/`, or be `/metrics`"
        }
        guard !climbs(target) else { return "must not climb with `.` or `..`" }
        let places = ["/plugins/", "/v1/plugins/"]
        guard !target.hasSuffix("/") || places.contains(where: { target.hasPrefix($0) && target != $0 }) else {
            return "that ends in `/` stands for all below it: only places of a plugin can, `/plugins/INSTANCE/`"
        }
        return nil
    }

    /// Whether a segment of the path leads elsewhere, for whoever resolves it.
    private static func climbs(_ target: String) -> Bool {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return path.split(separator: UInt8(ascii: "/")).contains { segment in
            guard let name = PercentText.decode(segment) else { return true }
            return name == "." || name == ".." || name.utf8.contains(UInt8(ascii: "/"))
        }
    }

    private func code(_ second: Int64, _ length: Int, _ covered: [UInt8]) -> String {
        let text = Array("mediahost media 1\nGET\n\(second)\n\(length)\n".utf8) + covered
        guard
            let code = g_compute_hmac_for_data(G_CHECKSUM_SHA256, key, gsize(key.count), text, gsize(text.count))
        else { return "" }
        defer { g_free(code) }
        return String(cString: code)
    }

    private struct Parts {
        var second: Int64
        var length: Int
        var code: String
        var inner: String

        init?(_ target: String) {
            guard target.hasPrefix(MediaTicket.place) else { return nil }
            let rest = target.dropFirst(MediaTicket.place.count)
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            let words = rest[..<slash].split(separator: "-", omittingEmptySubsequences: false)
            guard words.count == 3, let second = Int64(words[0]), let length = Int(words[1]), length >= 0 else {
                return nil
            }
            self.second = second
            self.length = length
            code = String(words[2])
            inner = String(rest[slash...])
        }
    }
}
