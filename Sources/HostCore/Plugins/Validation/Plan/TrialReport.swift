/// What a trial's processes write into their pipe, a line for each thing.
///
/// The plugin may write there, too: what is no line of ours is passed over.
struct TrialReport: Sendable, Equatable {
    /// How the process that the plugin was in ended, where that was another one than the trial's.
    enum Guest: Sendable, Equatable {
        case signalled(Int32)
        case exited(Int32)
    }

    /// What the trial is about: "two instances at once".
    var step: String?
    /// The calls into the plugin on the control thread that have not come back, the innermost last.
    var open: [String] = []
    /// The last call of a tap.
    var stream: String?
    /// Memory that was read after the call it was lent for: "the parameters of invoke".
    var lent: String?
    /// The thread that a crash was on, where the process that crashed could still say so.
    var crashed: CallRole?
    var guest: Guest?
    var faults: [TrialFault] = []
    var notes: [String] = []
    var skipped: String?
    var isComplete = false

    private enum Word: String, CaseIterable {
        case step, call, back, stream, lent, thread, signalled, exited, fault, note, skipped, complete
    }

    private static let words = Word.allCases.map { ($0, Array("\($0.rawValue) ".utf8)) }
    private static let most = 20

    init(_ bytes: [UInt8]) {
        // A last line without its end was cut off.
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            for (word, start) in Self.words where line.starts(with: start) {
                read(word, String(decoding: line.dropFirst(start.count), as: UTF8.self))
            }
        }
    }

    private mutating func read(_ word: Word, _ rest: String) {
        switch word {
        case .step: step = rest
        case .call: open.append(rest)
        case .back: _ = open.popLast()
        case .stream: stream = rest
        case .lent: lent = lent ?? rest
        case .thread: crashed = crashed ?? Int32(rest).flatMap(CallRole.init)
        case .signalled: if let number = Int32(rest) { guest = .signalled(number) }
        case .exited: if let number = Int32(rest) { guest = .exited(number) }
        case .fault:
            guard let value = try? JSONText.parse(rest), let fault = TrialFault(value) else { return }
            if !faults.contains(fault), faults.count < Self.most { faults.append(fault) }
        case .note: if !notes.contains(rest), notes.count < Self.most { notes.append(rest) }
        case .skipped: skipped = rest
        case .complete: isComplete = true
        }
    }

    static func step(_ text: String) -> String { "step \(line(text))\n" }
    static func call(_ function: String) -> String { "call \(line(function))\n" }
    static func back() -> String { "back \n" }
    static func stream(_ function: String) -> String { "stream \(line(function))\n" }
    static func fault(_ fault: TrialFault) -> String {
        func short(_ text: String) -> String { String(line(text).prefix(800)) }
        return "fault "
            + JSONText.render(
                TrialFault(short(fault.found), expected: short(fault.expected), fix: short(fault.fix)).value) + "\n"
    }
    static func note(_ text: String) -> String { "note \(line(text))\n" }
    static func skipped(_ text: String) -> String { "skipped \(line(text))\n" }
    static func guest(_ guest: Guest) -> String {
        switch guest {
        case .signalled(let number): "signalled \(number)\n"
        case .exited(let code): "exited \(code)\n"
        }
    }
    static func complete() -> String { "complete \n" }

    /// One line, of a size that a pipe takes in one piece.
    private static func line(_ text: String) -> String {
        let safe = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : Character($0) }
        return String(safe.prefix(1000))
    }
}
