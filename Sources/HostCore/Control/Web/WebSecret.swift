/// 256 random bits that nobody can guess, as text: a key that opens the page, or the session behind its cookie.
///
/// - Thread: any. Immutable.
struct WebSecret: Sendable {
    static let bytes = 32

    /// Hexadecimal.
    let text: String

    /// Of the kernel's random numbers.
    static func random() -> WebSecret {
        var source = SystemRandomNumberGenerator()
        return WebSecret((0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    /// - Parameter bytes: random ones; tests choose.
    init(_ bytes: [UInt8]) { text = Hexadecimal.text(bytes) }

    /// Takes as long for a wrong one as for the right one.
    func matches(_ given: String) -> Bool { ConstantTime.areEqual(Array(given.utf8), Array(text.utf8)) }
}
