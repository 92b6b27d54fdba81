internal import HostCore

extension Command {
    /// `mediahost completion`
    static let completion = Command(
        name: "completion", operands: "[bash|zsh|fish]",
        summary: "A script that makes bash, zsh or fish complete words, options and live names",
        details: """
            `make install` puts them where the shells look. By hand: `mediahost completion bash > /etc/bash_completion.d/mediahost`, `mediahost completion zsh > _mediahost` in a directory of zsh's `$fpath`, `mediahost completion fish > ~/.config/fish/completions/mediahost.fish`; or try it with `. <(mediahost completion)`. Without a name it is bash's.
            Names of pipelines, plugins, their commands and what these take come from the running host, the one that `--socket` names where it stands before; without one that answers within 0.2 s (`MEDIAHOST_COMPLETION_LIMIT`) there are none.
            """, words: CompletionScript.allCases.map(\.rawValue)
    ) { arguments throws(UsageError) in
        let shells = CompletionScript.allCases.map(\.rawValue)
        let name = arguments.operands.first ?? CompletionScript.bash.rawValue
        guard arguments.operands.count <= 1 else { throw UsageError("give one shell") }
        guard let script = CompletionScript(rawValue: name) else {
            let hint = Suggestion.nearest(to: name, among: shells).map { "; did you mean \"\($0)\"?" } ?? ""
            throw UsageError("\"\(name)\" is none of \(shells.joined(separator: ", "))\(hint)")
        }
        Output.write(script.text, to: Terminal.output)
        return .success
    }

    /// What the scripts ask: `mediahost __complete SHELL WORD...`. Nil where this is something else.
    static func complete(_ arguments: [String]) -> ExitCode? {
        guard arguments.first == "__complete" else { return nil }
        guard arguments.count > 2, let shell = CompletionScript(rawValue: arguments[1]) else { return .usage }
        let words = Array(arguments.dropFirst(2))
        var candidates: Candidates
        switch shell {
        case .bash:
            let (joined, written) = bashWords(words)
            candidates = Completion(joined).candidates
            // bash takes the words as they are, and replaces what stands behind the last `=`.
            let current = joined.last ?? ""
            candidates.words = candidates.words.filter { $0.text.hasPrefix(current) }.map {
                .init(text: ShellWord.quotedOpen(String($0.text.dropFirst(current.count - written.count))), about: "")
            }
        case .zsh:
            candidates = Completion(words).candidates
            let fixed = (words.last ?? "").firstIndex(of: "=").map { (words.last ?? "")[...$0] } ?? ""
            candidates.words = candidates.words.map {
                .init(
                    text: $0.text.hasPrefix(fixed) ? String($0.text.dropFirst(fixed.count)) : $0.text, about: $0.about)
            }
        case .fish: candidates = Completion(words).candidates
        }
        let lines = candidates.words.map { "\(TextWidth.printable($0.text))\t\(TextWidth.printable($0.about))" }
        Output.line(([candidates.files.rawValue] + lines).joined(separator: "\n"))
        return .success
    }

    /// bash takes words apart at `=`. Returns them whole, and what of the last one bash calls the word.
    private static func bashWords(_ words: [String]) -> ([String], written: String) {
        var joined: [String] = []
        var written = ""
        var isOpen = false
        for word in words {
            if word == "=", let last = joined.last {
                joined[joined.count - 1] = last + "="
                (written, isOpen) = ("", true)
            } else if isOpen, let last = joined.last {
                joined[joined.count - 1] = last + word
                (written, isOpen) = (word, false)
            } else {
                joined.append(word)
                written = word
            }
        }
        return (joined, written)
    }
}
