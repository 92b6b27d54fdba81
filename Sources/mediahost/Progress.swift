internal import Glibc

/// One line on the terminal that says what takes so long, and is gone when it is done. Nothing where no person looks.
///
/// - Thread: any, one at a time.
struct Progress: Sendable {
    private let isShown = Terminal.isInteractive(Terminal.errors)

    func show(_ text: String) {
        guard isShown else { return }
        // Control characters of a name must not move the cursor; a longer line would wrap, and could not be taken back.
        let safe = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }.prefix(72)
        Output.write("\r\u{1B}[K\(String(String.UnicodeScalarView(safe)))", to: Terminal.errors)
    }

    func end() {
        if isShown { Output.write("\r\u{1B}[K", to: Terminal.errors) }
    }
}
