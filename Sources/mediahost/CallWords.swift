internal import HostCore

/// The operands of `call`, taken apart: `PLUGIN.COMMAND KEY=VALUE...` or `PLUGIN COMMAND KEY=VALUE...`.
struct CallWords {
    let plugin: String
    let command: String
    /// Texts; the command's schema says what they become.
    let parameters: Value

    init(_ operands: [String]) throws(Command.UsageError) {
        guard let target = operands.first else { throw Command.UsageError("name a plugin's command: PLUGIN.COMMAND") }
        let rest: ArraySlice<String>
        if operands.count > 1, !target.contains("."), !operands[1].contains("=") {
            (plugin, command, rest) = (target, operands[1], operands.dropFirst(2))
        } else {
            let parts = target.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Command.UsageError("\"\(target)\" is not PLUGIN.COMMAND") }
            (plugin, command, rest) = (parts[0], parts[1], operands.dropFirst())
        }
        var members: [Value.Member] = []
        for word in rest {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw Command.UsageError("\"\(word)\" is not KEY=VALUE")
            }
            members.append(.init(String(word[..<equals]), .string(String(word[word.index(after: equals)...]))))
        }
        parameters = .map(members)
    }
}
