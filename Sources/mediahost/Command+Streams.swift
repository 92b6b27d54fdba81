internal import CGLib
internal import Glibc
internal import HostCore

/// The commands that show what happens in a running host, once or as it happens.
extension Command {
    static let streams = [events, logs]

    private static let events = Command(
        name: "events", summary: "What happens in a running host: pipelines, plugins, locks, keys",
        details:
            "Without --follow, what the host remembers; a line for each event. With it, what comes from now on, also after the "
            + "host was started anew. Where events were lost, a line says how many.",
        options: streamOptions + [
            OptionSpec(
                long: "filter", help: "Only events of this name, as pipeline.state or pipeline.*; may be repeated",
                value: "PATTERN", isRepeated: true),
            OptionSpec(
                long: "watch", help: "PIPELINE/ELEMENT.PROPERTY: an event for each value it has; may be repeated",
                value: "PROPERTY", isRepeated: true),
            OptionSpec(long: "source", help: "Only from this pipeline or plugin, or from host", value: "NAME"),
            OptionSpec(long: "last", short: "n", help: "Begin with the last N of them", value: "N"),
        ]
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        return try follow("events", "/v1/events", arguments, StreamLine.event) {
            [
                ("filter", arguments.lists["filter"]?.joined(separator: ",")), ("source", arguments.values["source"]),
                ("watch", arguments.lists["watch"]?.joined(separator: ",")),
            ]
        }
    }

    private static let logs = Command(
        name: "logs", summary: "What a running host has logged",
        details: "The last 100 lines, unless -n says how many. With --follow, what comes from now on, too.",
        options: streamOptions + [
            OptionSpec(
                long: "level", short: "l", help: "Only error, warning, notice or debug, and worse", value: "LEVEL"),
            OptionSpec(long: "component", short: "c", help: "Only from this pipeline or plugin", value: "NAME"),
            OptionSpec(long: "last", short: "n", help: "Begin with the last N lines (default 100)", value: "N"),
        ]
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        return try follow("logs", "/v1/logs/stream", arguments, last: "100", StreamLine.log) {
            [("level", arguments.values["level"]), ("component", arguments.values["component"])]
        }
    }

    private static let streamOptions =
        placeOptions + [
            OptionSpec(long: "follow", short: "f", help: "Go on with what comes, until interrupted"),
            OptionSpec(long: "json", short: "j", help: "Print each as JSON, one a line"),
        ]

    /// Between two attempts to find the host again.
    private static let pauseMicroseconds: gulong = 500_000

    private static func follow(
        _ name: String, _ path: String, _ arguments: ParsedArguments, last: String? = nil,
        _ line: (StreamMessage) -> String, _ filter: () -> [(String, String?)]
    ) throws(UsageError) -> ExitCode {
        let follows = arguments.switches.contains("follow")
        let count = arguments.values["last"] ?? last
        if let count, Int(count).map({ $0 < 0 }) ?? true {
            throw UsageError("--last takes a number from 0 on, not \"\(count)\"")
        }
        let query = filter() + [("last", count), ("follow", follows ? nil : "false")]
        let words = query.compactMap { key, value in value.map { "\(key)=\(escaped($0))" } }
        let place = path + (words.isEmpty ? "" : "?" + words.joined(separator: "&"))
        try arguments.requireOnePlace()
        endQuietly()
        var lastID: String?
        do throws(ControlError) {
            let client = try arguments.client()
            func listen() throws(ControlError) {
                try client.listen(place, after: lastID) { message in
                    if !message.id.isEmpty { lastID = message.id }
                    Output.line(arguments.switches.contains("json") ? message.data : line(message))
                    return true
                }
            }
            try listen()
            while follows {
                g_usleep(pauseMicroseconds)
                do throws(ControlError) {
                    try listen()
                } catch {
                    // It is on its way: what else there is to say of it, it says when it is back.
                    guard [.unreachable, .busy, .failed, .timeout, .tooMany].contains(error.code) else { throw error }
                }
            }
            return .success
        } catch {
            if arguments.switches.contains("json") { Output.json(error.body) }
            Output.error("mediahost \(name): \(error.message)")
            // All that it can find wrong came from the command line.
            return error.code == .invalid ? .usage : ExitCode(error.code)
        }
    }

    /// Who interrupts it, or has read enough, has what was asked for. Lines are written whole, so nothing is cut.
    private static func endQuietly() {
        for number in [SIGINT, SIGTERM, SIGPIPE] { signal(number) { _ in _exit(0) } }
    }

    private static func escaped(_ text: String) -> String { String(ControlClient.path(text).dropFirst()) }
}
