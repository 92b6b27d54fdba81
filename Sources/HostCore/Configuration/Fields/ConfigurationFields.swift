/// The keys of the configuration file, map by map.
enum ConfigurationFields {
    /// A file as it is read, before its parts are known to be whole.
    struct Draft {
        var configuration = HostConfiguration()
        var catalog: (any ElementCatalog)?
        var templateUses: [String: TemplateSet.Use] = [:]
    }

    static let file = FieldTable<Draft>(fields: [
        Field(
            "mediahost", "the version of this format", .integer(1...1), example: "1", isRequired: true,
            remedy: "begin the file with mediahost: \(HostConfiguration.currentVersion)"
        ) {
            node, draft, problems in
            if checkVersion(node, &problems) { draft.configuration.version = HostConfiguration.currentVersion }
        },
        // These are done before: by IncludeReader, VariableExpander, SecretStore and TemplateSet.
        Field(
            "include", "files to read before this one, which wins over them; a path or a list, patterns too",
            .oneOf([.text, .list(.text)]), default: "[]"
        ) { _, _, _ in },
        Field("vars", "texts for ${NAME}, by name", .named(form: nameForm, .scalar), default: "{}") { _, _, _ in },
        Field(
            "secrets", "the directory with a file for each ${secret:NAME}, after systemd's credentials", .text,
            default: SecretStore.defaultDirectory
        ) { _, _, _ in },
        Field(
            "templates", "pipelines to be made, by name", .named(form: nameForm, .map(template, isOpen: false))
        ) { _, _, _ in },
        Field(
            "pipelines", "pipelines by name, in the order they start",
            .named(form: nameForm, .map(pipeline.descriptions, isOpen: false))
        ) { node, draft, problems in
            named(node, "pipeline", &problems) { entry, problems in
                if let pipeline = describePipeline(
                    entry, draft.catalog, draft.templateUses[entry.key], &problems)
                {
                    draft.configuration.pipelines.append(pipeline)
                }
            }
        },
        Field(
            "plugin-path", "directories to look for plugins in first; a relative one begins at this file",
            .oneOf([.text, .list(.text)]), default: "[]"
        ) { node, draft, problems in draft.configuration.pluginPath = searchPath(node, &problems) },
        Field(
            "plugins", "plugin instances by name", .named(form: nameForm, .map(plugin, isOpen: true))
        ) { node, draft, problems in
            named(node, "plugin", &problems) { entry, problems in
                if let plugin = describePlugin(entry, &problems) { draft.configuration.plugins.append(plugin) }
            }
        },
        Field("control", "how the host is reached", .map(control.descriptions, isOpen: false)) {
            node, draft, problems in
            control.decode(
                node, subject: "\"control\"", place: node.span, into: &draft.configuration.control, problems: &problems)
        },
        Field(
            "overrides",
            "the file of settings that were saved while the host ran, read last; without it, overrides.yaml in the "
                + "state directory; a relative one begins at this file", .text,
            example: "/data/mediahost/overrides.yaml"
        ) { node, draft, problems in
            draft.configuration.overridesFile = node.text(for: "overrides", &problems)
                .map { TextFile.resolve($0, beside: node.span.file.path) }
        },
        .choice(
            "notifications", "the bus on which a service shows the plugins' notifications, or off", default: "session",
            \.configuration.notifications),
        Field(
            "login", "systemd-logind: sleep, shutdown and the session's lock", .map(login.descriptions, isOpen: false)
        ) {
            node, draft, problems in
            login.decode(
                node, subject: "\"login\"", place: node.span, into: &draft.configuration.login, problems: &problems)
        },
        Field(
            "inputs", "devices with keys and buttons, by name: a press is an event",
            .named(form: nameForm, .map(input.descriptions, isOpen: false))
        ) { node, draft, problems in
            named(node, "input", &problems) { entry, problems in
                if let input = describeInput(entry, &problems) { draft.configuration.inputs.append(input) }
            }
        },
        Field(
            "outputs", "the machine's audio outputs: whether one is there", .map(outputs.descriptions, isOpen: false)
        ) {
            node, draft, problems in
            outputs.decode(
                node, subject: "\"outputs\"", place: node.span, into: &draft.configuration.outputs, problems: &problems)
        },
        Field(
            "rules", "what is done when something happens, without anybody asking",
            .list(.map(rule.descriptions, isOpen: false))
        ) { node, draft, problems in draft.configuration.rules = describeRules(node, &problems) },
    ])

    /// Names of pipelines, plugins and variables.
    static let nameForm = "^[A-Za-z0-9_-]+$"

    /// Whether a file is written for this version of the format.
    @discardableResult
    static func checkVersion(_ node: YAMLNode, _ problems: inout Problems) -> Bool {
        let current = HostConfiguration.currentVersion
        guard let text = node.text?.string, let number = Int64(text), number > 0 else {
            problems.error(
                at: node.span, "\"mediahost\" must be the version of the format, not \(node.kind)",
                help: "write mediahost: \(current)")
            return false
        }
        guard number == Int64(current) else {
            problems.error(
                at: node.span, "this file is written for format \(number), this mediahost reads format \(current)",
                help: number > Int64(current) ? "install a newer mediahost" : "write mediahost: \(current)")
            return false
        }
        return true
    }

    /// Runs `body` for each entry of a map whose keys are names.
    static func named(
        _ node: YAMLNode, _ what: String, _ problems: inout Problems,
        _ body: (YAMLEntry, inout Problems) -> Void
    ) {
        guard let entries = node.entries else {
            problems.error(at: node.span, "\"\(what)s\" must be a map of names, not \(node.kind)")
            return
        }
        for entry in entries {
            if !isPlainName(entry.key) {
                problems.error(
                    at: entry.keySpan, "\(quoted(entry.key)) is no name for a \(what)",
                    help: "names have letters, digits, \"_\" and \"-\"")
            }
            body(entry, &problems)
        }
    }
}
