internal import Glibc

/// Where `${secret:NAME}` is read from: systemd's credentials, else a directory of files that nobody else may read.
///
/// - Thread: any that may do I/O.
struct SecretStore {
    /// Why a secret that is there is not used.
    struct Refusal: Error {
        var message: String
        var help: String?
    }

    /// `$CREDENTIALS_DIRECTORY`; systemd keeps others out of it.
    var credentials: String?
    /// What `secrets:` says.
    var directory = SecretStore.defaultDirectory
    /// Who reads.
    var user = getuid()

    static let defaultDirectory = "/etc/mediahost/secrets"
    private static let longest = 1 << 14

    /// - Returns: nil where there is no such secret.
    func read(_ name: String) throws(Refusal) -> [UInt8]? {
        if let credentials, let found = try read("\(credentials)/\(name)", isPrivate: true) { return found }
        return try read(path(name), isPrivate: false)
    }

    /// Where it was looked for.
    func places(_ name: String) -> String {
        [credentials.map { "\($0)/\(name)" }, path(name)].compactMap { $0 }.joined(separator: " and ")
    }

    func nearest(to name: String) -> String? {
        Suggestion.nearest(to: name, among: (credentials.map(TextFile.names) ?? []) + TextFile.names(in: directory))
    }

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    private func read(_ path: String, isPrivate: Bool) throws(Refusal) -> [UInt8]? {
        let bytes: [UInt8]
        let access: TextFile.Access
        do throws(FileError) {
            (bytes, access) = try TextFile.read(path, most: Self.longest)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw Refusal(message: "cannot read the secret \(path): \(error.text)")
        }
        if !isPrivate { try check(access, path) }
        return try text(bytes, path)
    }

    private func check(_ access: TextFile.Access, _ path: String) throws(Refusal) {
        guard access.owner == user || access.owner == 0 else {
            throw Refusal(
                message: "the secret \(path) belongs to user \(access.owner)",
                help: "it must belong to the user of mediahost or to root: chown \(user) \(path)")
        }
        guard access.mode & 0o177 == 0 else {
            throw Refusal(
                message: "others may read the secret \(path): its mode is 0\(String(access.mode, radix: 8))",
                help: "chmod 0600 \(path)")
        }
    }

    private func text(_ bytes: [UInt8], _ path: String) throws(Refusal) -> [UInt8] {
        guard bytes.count <= Self.longest else {
            throw Refusal(message: "the secret \(path) is too large", help: "a secret may have \(Self.longest) bytes")
        }
        var text = bytes
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        guard UTF8Check.firstInvalid(in: text) == nil, !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw Refusal(
                message: "the secret \(path) is no line of text",
                help: "a secret is UTF-8 without control characters; one newline at its end does not count")
        }
        guard text.count >= SecretMask.shortest else {
            throw Refusal(
                message: "the secret \(path) is too short to be kept out of messages",
                help: "a secret has at least \(SecretMask.shortest) bytes")
        }
        return text
    }
}
