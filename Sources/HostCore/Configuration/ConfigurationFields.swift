/// The keys of the configuration file, map by map.
enum ConfigurationFields {
    /// A file as it is read, before its parts are known to be whole.
    struct Draft {
        var configuration = HostConfiguration()
        var catalog: (any ElementCatalog)?
    }

    struct PipelineDraft {
        var launch: LaunchDescription?
        var background = BackgroundMode.stop
        var warmUp: WarmUp?
        var warmUpPlace: SourceSpan?
        var onEOS = EndOfStreamPolicy.stop
        var catalog: (any ElementCatalog)?
    }

    static let file = FieldTable<Draft>(fields: [
        .init(key: "mediahost", summary: "the version of this format: 1", isRequired: true) { node, draft, problems in
            version(node, &draft, &problems)
        },
        .init(key: "vars", summary: "texts for ${NAME}, by name") { _, _, _ in },  // done by VariableExpander before
        .init(key: "pipelines", summary: "pipelines by name, in the order they start") { node, draft, problems in
            named(node, "pipeline", &problems) { entry, problems in
                if let pipeline = describePipeline(entry, draft.catalog, &problems) {
                    draft.configuration.pipelines.append(pipeline)
                }
            }
        },
        .init(key: "plugins", summary: "plugin instances by name") { node, draft, problems in
            named(node, "plugin", &problems) { entry, problems in
                if let plugin = describePlugin(entry, &problems) { draft.configuration.plugins.append(plugin) }
            }
        },
        .init(key: "control", summary: "how the host is reached") { node, draft, problems in
            control.decode(
                node, subject: "\"control\"", place: node.span, into: &draft.configuration.control, problems: &problems)
        },
    ])

    static let control = FieldTable<ControlSettings>(fields: [
        .init(key: "socket", summary: "the path of the unix socket") { node, settings, problems in
            guard let path = node.text(for: "socket", &problems) else { return }
            guard path.utf8.count <= 107 else {  // sun_path holds 108 bytes with its end
                problems.error(
                    at: node.span, "the path of the socket is too long",
                    help: "a unix socket's path has at most 107 bytes")
                return
            }
            settings.socket = path
        }
    ])

    static let pipeline = FieldTable<PipelineDraft>(fields: [
        .init(key: "launch", summary: "the elements, in gst-launch syntax", isRequired: true) { node, draft, problems in
            launch(node, &draft, &problems)
        },
        .init(key: "background", summary: "while paused: keep, pause or stop") { node, draft, problems in
            if node.entries != nil {
                background.decode(
                    node, subject: "\"background\"", place: node.span, into: &draft.background, problems: &problems)
            } else if let mode = node.choice(for: "background", of: BackgroundMode.self, &problems) {
                draft.background = mode
            }
        },
        .init(key: "warm-up", summary: "frames dropped after each start") { node, draft, problems in
            var value = WarmUp()
            if node.text != nil {
                guard let frames = node.integer(for: "warm-up", in: 0...WarmUp.mostFrames, &problems) else { return }
                value.frames = Int(frames)
            } else {
                warmUp.decode(node, subject: "\"warm-up\"", place: node.span, into: &value, problems: &problems)
                draft.warmUpPlace = node["at"]?.span
            }
            draft.warmUp = value
        },
        .init(key: "on-eos", summary: "at the end of the stream: stop or exit") { node, draft, problems in
            if let policy = node.choice(for: "on-eos", of: EndOfStreamPolicy.self, &problems) { draft.onEOS = policy }
        },
    ])

    static let background = FieldTable<BackgroundMode>(fields: [
        .init(key: "paused", summary: "keep, pause or stop") { node, mode, problems in
            if let choice = node.choice(for: "paused", of: BackgroundMode.self, &problems) { mode = choice }
        }
    ])

    static let warmUp = FieldTable<WarmUp>(fields: [
        .init(key: "frames", summary: "how many") { node, value, problems in
            if let frames = node.integer(for: "frames", in: 0...WarmUp.mostFrames, &problems) {
                value.frames = Int(frames)
            }
        },
        .init(key: "at", summary: "the pad where they are counted: camera.src") { node, value, problems in
            guard let text = node.text(for: "at", &problems) else { return }
            do throws(PathError) {
                value.at = try ElementPad(text)
            } catch {
                problems.error(at: node.span, error.message)
            }
        },
    ])

    private static func version(_ node: YAMLNode, _ draft: inout Draft, _ problems: inout Problems) {
        let current = HostConfiguration.currentVersion
        guard let text = node.text?.string, let number = Int64(text), number > 0 else {
            problems.error(
                at: node.span, "\"mediahost\" must be the version of the format, not \(node.kind)",
                help: "write mediahost: \(current)")
            return
        }
        guard number == Int64(current) else {
            problems.error(
                at: node.span, "this file is written for format \(number), this mediahost reads format \(current)",
                help: number > Int64(current) ? "install a newer mediahost" : "write mediahost: \(current)")
            return
        }
        draft.configuration.version = current
    }

    /// Runs `body` for each entry of a map whose keys are names.
    private static func named(
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

    private static func describePipeline(
        _ entry: YAMLEntry, _ catalog: (any ElementCatalog)?, _ problems: inout Problems
    ) -> PipelineDescription? {
        var draft = PipelineDraft(catalog: catalog)
        pipeline.decode(
            entry.value, subject: "pipeline \(quoted(entry.key))", place: entry.keySpan, into: &draft,
            problems: &problems)
        guard let launch = draft.launch else { return nil }
        if let pad = draft.warmUp?.at, let place = draft.warmUpPlace {
            let names = launch.named().elements.map(\.name)
            if !names.contains(pad.element) {
                problems.error(
                    at: place, "no element named \(quoted(pad.element)) in pipeline \(quoted(entry.key))",
                    help: KnownNames.list("elements", names),
                    suggestion: Suggestion.nearest(to: pad.element, among: names).map { "\($0).\(pad.pad)" })
            }
        }
        return PipelineDescription(
            name: entry.key, launch: launch, background: draft.background, warmUp: draft.warmUp, onEOS: draft.onEOS,
            location: entry.keySpan)
    }

    private static func launch(_ node: YAMLNode, _ draft: inout PipelineDraft, _ problems: inout Problems) {
        guard case .scalar(let text, let style) = node.content else {
            problems.error(at: node.span, "\"launch\" must be a text, not \(node.kind)")
            return
        }
        if style == .plain { warnAboutComment(behind: node.span, &problems) }
        var found: [Diagnostic] = []
        let launch = LaunchParser.parse(text, diagnostics: &found)
        problems.add(found)
        problems.add(LaunchChecker.check(launch, catalog: draft.catalog))
        draft.launch = launch
    }

    /// In a plain scalar ` #` begins a comment: a launch text that goes on behind it was cut.
    private static func warnAboutComment(behind span: SourceSpan, _ problems: inout Problems) {
        let bytes = span.file.bytes
        var start = span.range.upperBound
        while start < bytes.count, bytes[start] == " " || bytes[start] == "\t" { start += 1 }
        guard start < bytes.count, bytes[start] == "#" else { return }
        var end = start
        while end < bytes.count, bytes[end] != "\n", bytes[end] != "\r" { end += 1 }
        guard bytes[start..<end].contains(UInt8(ascii: "!")) else { return }
        problems.warning(
            at: SourceSpan(file: span.file, range: start..<end), "the launch text ends before this comment",
            help: "in YAML \" #\" begins a comment; put the launch text in quotes if it is part of it")
    }

    private static func describePlugin(_ entry: YAMLEntry, _ problems: inout Problems) -> PluginDescription? {
        guard let entries = entry.value.entries else {
            problems.error(
                at: entry.value.isNull ? entry.keySpan : entry.value.span,
                "plugin \(quoted(entry.key)) must be a map, not \(entry.value.kind)",
                help: "module: the plugin to load")
            return nil
        }
        guard let module = entries.first(where: { $0.key == "module" }) else {
            let nearest = entries.first { Suggestion.nearest(to: $0.key, among: ["module"]) != nil }
            problems.error(
                at: nearest?.keySpan ?? entry.keySpan, "plugin \(quoted(entry.key)) has no \"module\"",
                help: "module: the plugin to load", suggestion: nearest == nil ? nil : "module")
            return nil
        }
        guard let name = module.value.text(for: "module", &problems) else { return nil }
        var config = entry.value
        config.content = .map(entries.filter { $0.key != "module" })
        return PluginDescription(
            name: entry.key, module: name, config: config, location: module.value.span, keySpan: entry.keySpan)
    }
}
