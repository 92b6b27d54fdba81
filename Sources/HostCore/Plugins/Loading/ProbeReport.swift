/// What a probe's child writes into its pipe, a line for each thing: `phase init`, then `sound {...}` or `refused {...}`.
///
/// A plugin may write there, too, or may have been copied by a `fork`: what is no line of ours is passed over, and the first
/// end counts.
struct ProbeReport: Sendable, Equatable {
    enum End: Sendable, Equatable {
        case sound(LibraryFacts)
        case refused(PluginFailure)
    }

    var phase: ProbePhase?
    var end: End?

    /// More than this is no report.
    static let mostBytes = 4 << 20

    init(phase: ProbePhase? = nil, end: End? = nil) {
        self.phase = phase
        self.end = end
    }

    init(_ bytes: [UInt8]) {
        // A last line without its end was cut off.
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard end == nil else { return }
            for (word, start) in Self.words where line.starts(with: start) {
                read(word, String(decoding: line.dropFirst(start.count), as: UTF8.self))
            }
        }
    }

    /// What a line of ours begins with.
    private enum Word: String, CaseIterable {
        case phase, sound, refused
    }

    /// With their bytes: noise comes by the megabyte, and is passed over without a copy of each line.
    private static let words = Word.allCases.map { ($0, Array("\($0.rawValue) ".utf8)) }

    private mutating func read(_ word: Word, _ rest: String) {
        switch word {
        case .phase:
            if let phase = ProbePhase(rawValue: rest) { self.phase = phase }
        case .sound:
            if let value = try? JSONText.parse(rest), let facts = LibraryFacts(value) { end = .sound(facts) }
        case .refused:
            guard let value = try? JSONText.parse(rest), let message = value["message"]?.string else { return }
            end = .refused(PluginFailure(message, help: value["help"]?.string))
        }
    }

    static func line(_ phase: ProbePhase) -> String { "phase \(phase.rawValue)\n" }

    static func line(_ end: End) -> String {
        switch end {
        case .sound(let facts): "sound \(JSONText.render(facts.value))\n"
        case .refused(let failure):
            "refused "
                + JSONText.render([
                    "message": .string(failure.message), "help": failure.help.map { .string($0) } ?? .null,
                ]) + "\n"
        }
    }
}
