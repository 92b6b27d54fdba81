/// A token as its file has it: whoever shows it is let in.
///
/// - Thread: any; reading does I/O.
struct AccessToken: Sendable, Equatable {
    /// What guessing cannot find.
    static let leastBytes = 16
    static let mostBytes = 4096

    private let bytes: [UInt8]

    /// - Throws: `invalid` for what nobody could send in a header, or is too short.
    init(_ text: [UInt8], from path: String) throws(ControlError) {
        var text = text[...]
        while let last = text.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { text.removeLast() }
        guard text.count <= Self.mostBytes, text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ControlError(
                .invalid,
                "the token in `\(path)` must be one line of visible ASCII characters, \(Self.mostBytes) at most")
        }
        guard text.count >= Self.leastBytes else {
            throw ControlError(
                .invalid,
                "the token in `\(path)` has \(text.count) characters and could be guessed: \(Self.leastBytes) are the least, "
                    + "`openssl rand -hex 24` makes good ones")
        }
        bytes = Array(text)
    }

    /// - Throws: `denied` for a file that others may read, or that cannot be read; `invalid` as above.
    static func read(_ path: String) throws(ControlError) -> AccessToken {
        let file: (bytes: [UInt8], access: TextFile.Access)
        do throws(FileError) {
            file = try TextFile.read(path, most: mostBytes + 2)
        } catch {
            throw ControlError(.denied, "cannot read the token file `\(path)`: \(error.text)")
        }
        guard file.access.mode & 0o007 == 0 else {
            throw ControlError(
                .denied, "everybody may read the token file `\(path)`: chmod 640 or less keeps it secret")
        }
        return try AccessToken(file.bytes, from: path)
    }

    /// What a client sends.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes as long for a wrong token as for the right one.
    func matches(_ given: [UInt8]) -> Bool { ConstantTime.areEqual(given, bytes) }
}
