/// What may stand at a place of a command line.
struct Candidates {
    /// The shell knows its files itself.
    enum Files: String { case none, files, directories }

    struct Word: Equatable {
        var text: String
        var about = ""
    }

    var words: [Word]
    var files: Files

    static let none = Candidates([Word]())
    static let anyFile = Candidates([Word](), files: .files)

    init(_ words: [Word], files: Files = .none) {
        self.words = words
        self.files = files
    }

    init(_ texts: [String]) { self.init(texts.map { Word(text: $0) }) }
}
