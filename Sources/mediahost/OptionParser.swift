internal import CGLib
internal import HostCore

/// One option of a command.
struct OptionSpec: Sendable {
    var long: String
    var short: Character?
    var help: String
    /// The name of its value in help texts; nil for a switch.
    var value: String?
    /// May be given several times; all values are kept.
    var isRepeated = false

    /// Every command has it.
    static let help = OptionSpec(long: "help", short: "h", help: "Show this help")
    static let probeAgain = OptionSpec(
        long: "probe-again", help: "Try plugins anew, whatever earlier runs found, also those in quarantine")
    static let json = OptionSpec(long: "json", short: "j", help: "Print the answer as JSON")

    /// `-s, --socket=PATH`
    var usage: String { (short.map { "-\($0), " } ?? "") + "--\(long)" + (value.map { "=\($0)" } ?? "") }
}

/// What was given, options apart.
struct ParsedArguments {
    var switches: Set<String> = []
    var values: [String: String] = [:]
    /// Of options that may be repeated.
    var lists: [String: [String]] = [:]
    var operands: [String] = []
}

/// GLib's option parser for one command.
enum OptionParser {
    enum Stop: Error {
        /// `--help` was given.
        case help
        case wrong(String)
    }

    static func parse(
        _ arguments: [String], command: String, options: [OptionSpec]
    ) throws(Stop) -> ParsedArguments {
        let options = options + [.help]
        let table = OptionTable(options)
        let context = g_option_context_new(nil)
        defer { g_option_context_free(context) }
        g_option_context_set_help_enabled(context, 0)
        g_option_context_add_main_entries(context, table.entries, nil)

        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = strings(["mediahost \(command)"] + arguments)
        defer { g_strfreev(words) }
        var failure: UnsafeMutablePointer<GError>?
        g_set_prgname("mediahost \(command)")
        guard g_option_context_parse_strv(context, &words, &failure) != 0 else {
            defer { g_clear_error(&failure) }
            let text = failure.map { String(cString: $0.pointee.message) } ?? "wrong options"
            let isUnknown =
                g_error_matches(failure, g_option_error_quark(), gint(G_OPTION_ERROR_UNKNOWN_OPTION.rawValue)) != 0
            throw .wrong(text + (isUnknown ? hint(arguments, options) : ""))
        }
        if table.isSet("help") { throw .help }
        var parsed = table.result()
        var cursor = words.map { $0 + 1 }
        while let place = cursor, let word = place.pointee {
            let text = String(cString: word)
            if text != "--" || !parsed.operands.isEmpty { parsed.operands.append(text) }
            cursor = place + 1
        }
        return parsed
    }

    /// "; did you mean --json?" for the first long option that there is not.
    private static func hint(_ arguments: [String], _ options: [OptionSpec]) -> String {
        let known = options.map(\.long)
        let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != "=" }) }
        guard let unknown = given.first(where: { !known.contains($0) }) else { return "" }
        return Suggestion.nearest(to: unknown, among: known).map { "; did you mean --\($0)?" } ?? ""
    }

    /// A vector for `g_strfreev`.
    private static func strings(_ words: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        let builder = g_strv_builder_new()
        defer { g_strv_builder_unref(builder) }
        for word in words { g_strv_builder_add(builder, word) }
        return g_strv_builder_end(builder)
    }
}

/// The C table of a command's options and the places their values are written to.
private final class OptionTable {
    let entries: UnsafeMutablePointer<GOptionEntry>
    private let options: [OptionSpec]
    private let switches: UnsafeMutablePointer<gint>
    private let values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let lists: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
    private var texts: [UnsafeMutablePointer<CChar>?] = []

    init(_ options: [OptionSpec]) {
        self.options = options
        entries = .allocate(capacity: options.count + 1)
        entries.initialize(repeating: GOptionEntry(), count: options.count + 1)
        switches = .allocate(capacity: options.count)
        switches.initialize(repeating: 0, count: options.count)
        values = .allocate(capacity: options.count)
        values.initialize(repeating: nil, count: options.count)
        lists = .allocate(capacity: options.count)
        lists.initialize(repeating: nil, count: options.count)
        for (index, option) in options.enumerated() {
            entries[index].long_name = keep(option.long)
            entries[index].short_name = option.short.flatMap { $0.asciiValue.map { gchar($0) } } ?? 0
            entries[index].description = keep(option.help)
            if let value = option.value {
                entries[index].arg = option.isRepeated ? G_OPTION_ARG_STRING_ARRAY : G_OPTION_ARG_STRING
                entries[index].arg_description = keep(value)
                entries[index].arg_data =
                    option.isRepeated
                    ? UnsafeMutableRawPointer(lists + index) : UnsafeMutableRawPointer(values + index)
            } else {
                entries[index].arg = G_OPTION_ARG_NONE
                entries[index].arg_data = UnsafeMutableRawPointer(switches + index)
            }
        }
    }

    deinit {
        for index in options.indices {
            g_free(values[index])
            g_strfreev(lists[index])
        }
        for text in texts { g_free(text) }
        entries.deallocate()
        switches.deallocate()
        values.deallocate()
        lists.deallocate()
    }

    func isSet(_ long: String) -> Bool {
        options.firstIndex { $0.long == long }.map { switches[$0] != 0 } ?? false
    }

    func result() -> ParsedArguments {
        var parsed = ParsedArguments()
        for (index, option) in options.enumerated() {
            if switches[index] != 0 { parsed.switches.insert(option.long) }
            var cursor = lists[index]
            while let place = cursor, let word = place.pointee {
                parsed.lists[option.long, default: []].append(String(cString: word))
                cursor = place + 1
            }
            if let value = values[index] { parsed.values[option.long] = String(cString: value) }
        }
        return parsed
    }

    private func keep(_ text: String) -> UnsafePointer<CChar>? {
        let copy = g_strdup(text)
        texts.append(copy)
        return copy.map { UnsafePointer($0) }
    }
}
