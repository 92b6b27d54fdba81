/// Replaces words of a text in one pass: what was put in is not looked at again.
struct TemplateText {
    private let words: [(from: [UInt8], to: [UInt8])]

    init(_ words: [(from: String, to: String)]) {
        self.words = words.map { (Array($0.from.utf8), Array($0.to.utf8)) }
    }

    /// The first word that fits counts.
    func fill(_ text: String) -> String {
        let source = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var place = 0
        while place < source.count {
            if let word = words.first(where: { source[place...].starts(with: $0.from) }) {
                result += word.to
                place += word.from.count
            } else {
                result.append(source[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
