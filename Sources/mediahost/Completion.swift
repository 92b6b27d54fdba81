internal import HostCore

/// What a shell may offer at the end of a command line, from the table of commands and from the host that runs.
struct Completion {
    /// The words behind `mediahost`; the last one is being written.
    private let words: [String]

    init(_ words: [String]) { self.words = words }

    var candidates: Candidates {
        guard let current = words.last else { return .none }
        guard words.count > 1 else {
            if current.hasPrefix("-") { return Candidates(["--help", "--version"]) }
            return Candidates(CommandTable.all.map { .init(text: $0.name, about: $0.summary) })
        }
        guard let command = CommandTable.find(words[0]) else { return .none }
        let options = command.options + [.help]
        let before = Array(words.dropFirst().dropLast())
        if let open = before.last.flatMap({ Self.option($0, options) }), open.value != nil, !before.contains("--") {
            return values(of: open, command)
        }
        if current.hasPrefix("-"), !before.contains("--") {
            guard let equals = current.firstIndex(of: "=") else { return Self.names(of: options) }
            let name = String(current[..<equals])
            guard let option = Self.option(name, options) else { return .none }
            var found = values(of: option, command)
            found.words = found.words.map { .init(text: "\(name)=\($0.text)", about: $0.about) }
            return found
        }
        return operands(of: command, behind: Self.operands(before, options), current)
    }

    // MARK: Options

    private static func names(of options: [OptionSpec]) -> Candidates {
        Candidates(
            options.map {
                .init(text: "--\($0.long)\($0.value == nil ? "" : "=")", about: $0.help.filter { $0 != "`" })
            })
    }

    /// By its whole name, without a value.
    private static func option(_ word: String, _ options: [OptionSpec]) -> OptionSpec? {
        options.first { "--\($0.long)" == word || $0.short.map { "-\($0)" } == word }
    }

    private static func operands(_ words: [String], _ options: [OptionSpec]) -> [String] {
        var found: [String] = []
        var isValue = false
        var isBehindAll = false
        for word in words {
            if isValue {
                isValue = false
            } else if isBehindAll || !word.hasPrefix("-") {
                found.append(word)
            } else if word == "--" {
                isBehindAll = true
            } else {
                isValue = option(word, options)?.value != nil
            }
        }
        return found
    }

    private func values(of option: OptionSpec, _ command: Command) -> Candidates {
        switch (option.long, option.value) {
        case ("format", _) where command.name == "pipeline": Candidates(["jpeg", "png", "dot", "svg", "json"])
        case ("format", _): Candidates(GraphFormat.allCases.map(\.rawValue))
        case ("level", _): Candidates(["error", "warning", "notice", "debug"])
        // The host's own events; those of plugins are theirs.
        case ("filter", _): Candidates(HostEvents.names)
        case ("lang", _): Candidates(["swift", "c"])
        case ("source", _) where command.name == "events", ("component", _): live.sources
        case (_, "FILE"?), (_, "PATH"?): .anyFile
        case (_, "DIR"?): Candidates([Candidates.Word](), files: .directories)
        default: .none
        }
    }

    // MARK: Operands

    private func operands(of command: Command, behind given: [String], _ current: String) -> Candidates {
        switch (command.name, given.count) {
        case ("help", 0): Candidates(CommandTable.all.map { .init(text: $0.name, about: $0.summary) })
        case ("start", 0), ("stop", 0), ("get", 0), ("set", 0): live.pipelines
        case ("get", 1): live.properties(of: given[0], suffix: "")
        case ("set", 1): live.properties(of: given[0], suffix: "=")
        case ("graph", 0) where asksHost(["--live", "-l"]): live.pipelines
        case ("call", 0): live.commands
        case ("jobs", 1): live.jobs
        // PLUGIN.COMMAND, or both as words of their own.
        case ("call", _) where given[0].contains("."):
            live.parameters(of: given[0], besides: given.dropFirst(), current)
        case ("call", 1): live.commands(of: given[0])
        case ("call", _): live.parameters(of: "\(given[0]).\(given[1])", besides: given.dropFirst(2), current)
        case ("pipeline", 1) where given[0] != "list": live.pipelines
        case ("pipeline", 2) where ["get", "set"].contains(given[0]): live.properties(of: given[1], suffix: "")
        case ("pipeline", 2) where given[0] == "snapshot": live.picturePads(of: given[1])
        case ("pipeline", 2) where given[0] == "mode": Candidates(["audio", "video"])
        case ("plugin", 2...) where given[0] == "set":
            live.settings(of: given[1], besides: given.dropFirst(2), current)
        case ("plugin", 1) where ["show", "set", "enable", "disable"].contains(given[0]): live.plugins
        case ("config", 1) where given[0] == "reset": live.savedSettings
        case ("plugin", 1) where ["info", "check"].contains(given[0]): .anyFile
        case (_, 0) where !command.words.isEmpty: Candidates(command.words)
        case (_, 0) where command.operands.hasPrefix("FILE") || command.operands.hasPrefix("[FILE"): .anyFile
        default: .none
        }
    }

    /// Whether one of these words stands there, or an option that names the place of a host.
    private func asksHost(_ switches: [String]) -> Bool {
        let named = switches + ["--socket", "-s", "--host"]
        return words.contains { word in named.contains(String(word.prefix { $0 != "=" })) }
    }

    /// The host that the command would ask.
    private var live: LiveNames {
        var given = ParsedArguments()
        for (word, next) in zip(words, words.dropFirst()) {
            switch word {
            case "--socket", "-s": given.values["socket"] = next
            case "--host", "--token-file": given.values[String(word.dropFirst(2))] = next
            default: break
            }
        }
        for word in words {
            guard let equals = word.firstIndex(of: "="), word.hasPrefix("--") else { continue }
            let name = String(word[..<equals].dropFirst(2))
            guard Command.placeOptions.contains(where: { $0.long == name }) else { continue }
            given.values[name] = String(word[word.index(after: equals)...])
        }
        return LiveNames(place: given)
    }
}
