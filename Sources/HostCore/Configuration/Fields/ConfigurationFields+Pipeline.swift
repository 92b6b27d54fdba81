internal import GStreamerKit

/// The keys of one pipeline.
extension ConfigurationFields {
    static let pipeline = FieldTable<PipelineDraft>(fields: [
        Field(
            "launch", "the elements, in gst-launch syntax", .text,
            example: "videotestsrc name=camera is-live=true ! fakesink", isRequired: true, standIn: "template"
        ) { node, draft, problems in
            launch(node, &draft, &problems)
        },
        // Done by TemplateSet before.
        Field("template", "the template it is made from; its own keys win", .text, example: "camera") { _, _, _ in },
        Field(
            "with", "values of the template's parameters, by name", .named(form: variableForm, .scalar),
            example: "{ device: /dev/video0 }"
        ) { _, _, _ in },
        .flag("autostart", "whether it starts with the host", default: "true", \.autostart),
        Field(
            "background",
            "what it does while something holds of the host: one mode for paused, suspended and interrupted, "
                + "or a map of modes by reason; the strongest of those that hold wins",
            .oneOf([.choice(BackgroundMode.allCases.map(\.rawValue)), .map(background.descriptions, isOpen: false)]),
            default: "{}"
        ) { node, draft, problems in
            draft.unsaidPauses.removeAll { node.text != nil || node[$0]?.isNull == false }
            if node.entries != nil {
                background.decode(
                    node, subject: "\"background\"", place: node.span, into: &draft.background, problems: &problems)
            } else if let mode = node.choice(for: "background", of: BackgroundMode.self, &problems) {
                draft.background = BackgroundPolicy(all: mode)
            }
        },
        Field(
            "warm-up", "frames dropped after each start; by default 3 of a camera that gives raw ones, else none",
            .oneOf([.integer(0...WarmUp.mostFrames), .map(warmUp.descriptions, isOpen: false)]),
            example: "{ frames: 3, at: camera.src }"
        ) { node, draft, problems in
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
        .choice(
            "on-eos", "at the end of the stream: stop; play on from the start; be built anew; or end the host",
            default: "stop", \.onEOS),
        Field(
            "restart", "how it comes back after a failure; with on-eos: exit it does not, unless this is written",
            .oneOf([.word("never"), .map(restart.descriptions, isOpen: false)]), default: "{}"
        ) { node, draft, problems in
            decodeRestart(node, &draft, &problems)
        },
        .durationOrNever(
            "stall-timeout", "without a buffer for this long it counts as stalled",
            in: .milliseconds(100)...Self.longestTime, default: "10s", \.stallTimeout),
        .durationOrNever(
            "start-timeout", "how long a start may take, up to the first buffer of everything it carries",
            in: .milliseconds(100)...Self.longestTime, default: "20s", \.startTimeout),
        Field(
            "latency", "the latency of the whole pipeline; without it, what the elements ask for",
            .duration(.zero...Self.longestLatency), example: "200ms"
        ) { node, draft, problems in
            draft.latency = node.duration(for: "latency", in: .zero...Self.longestLatency, &problems)
        },
        Field(
            "properties", "values that win over the launch text, by element.property",
            .named(form: pathForm, .scalar), default: "{}"
        ) { node, draft, problems in
            decodeProperties(node, &draft, &problems)
        },
        Field(
            "settable", "what the control API may set at run time, by element.property", .list(.text),
            default: "[]"
        ) { node, draft, problems in
            decodeSettable(node, &draft, &problems)
        },
    ])

    static let background = FieldTable<BackgroundPolicy>(fields: [
        .choice(
            "paused",
            "while somebody has paused the host: go on, go on without pictures, stand still with its devices "
                + "held, or end", default: "stop", \.paused),
        .choice("suspended", "before the machine sleeps", default: "stop", \.suspended),
        .choice(
            "interrupted", "while something more important has the output, as a call has", default: "pause",
            \.interrupted),
        .choice("locked", "while the session is locked", default: "keep", \.locked),
        .choice("low-power", "while energy is to be saved", default: "keep", \.lowPower),
        .choice("output-lost", "while no audio output is there", default: "keep", \.outputLost),
    ])

    static let warmUp = FieldTable<WarmUp>(fields: [
        Field("frames", "how many", .integer(0...WarmUp.mostFrames), default: "\(WarmUp.defaultFrames)") {
            node, value, problems in
            if let frames = node.integer(for: "frames", in: 0...WarmUp.mostFrames, &problems) {
                value.frames = Int(frames)
            }
        },
        Field("at", "the pad where they are counted; without it, chosen by the host", .text, example: "camera.src") {
            node, value, problems in
            guard let text = node.text(for: "at", &problems) else { return }
            do throws(PathError) {
                value.at = try ElementPad(text)
            } catch {
                problems.error(at: node.span, error.message)
            }
        },
    ])

    /// `element.property`
    static let pathForm = "^[^ /]+\\.[^ /.]+$"
    /// A longer wait is a mistake.
    static let longestTime = ClockTime.seconds(86_400)
    static let longestLatency = ClockTime.seconds(60)

    static func describePipeline(
        _ entry: YAMLEntry, _ catalog: (any ElementCatalog)?, _ use: TemplateSet.Use?, _ problems: inout Problems
    ) -> PipelineDescription? {
        var draft = PipelineDraft(catalog: catalog)
        problems.context = use?.context
        defer { problems.context = nil }
        pipeline.decode(
            entry.value, subject: "pipeline \(quoted(entry.key))", place: entry.keySpan,
            isPartial: use != nil && use?.context == nil, into: &draft, problems: &problems)
        return draft.description(entry.key, at: entry.keySpan, &problems)
    }

    private static func decodeProperties(_ node: YAMLNode, _ draft: inout PipelineDraft, _ problems: inout Problems) {
        guard let entries = node.entries else {
            problems.error(
                at: node.span, "\"properties\" must be a map, not \(node.kind)",
                help: "for example: { camera.pattern: ball }")
            return
        }
        for entry in entries {
            guard let path = path(entry.key, at: entry.keySpan, &problems) else { continue }
            guard let text = entry.value.text, !entry.value.isNull else {
                problems.error(
                    at: entry.value.isNull ? entry.keySpan : entry.value.span,
                    "\(quoted(entry.key)) must be a value, not \(entry.value.kind)",
                    help: entry.value.isNull ? "an empty text is written \"\"" : nil)
                continue
            }
            draft.properties.append(PropertySetting(path, to: text.string, span: entry.value.span))
            draft.propertyPlaces.append(entry.keySpan)
        }
    }

    private static func decodeSettable(_ node: YAMLNode, _ draft: inout PipelineDraft, _ problems: inout Problems) {
        guard let items = node.items else {
            problems.error(
                at: node.span, "\"settable\" must be a list, not \(node.kind)", help: "for example: [camera.pattern]")
            return
        }
        for item in items {
            guard let text = item.text(for: "settable", &problems), let path = path(text, at: item.span, &problems)
            else {
                continue
            }
            if draft.settable.contains(where: { $0.path == path }) {
                problems.error(at: item.span, "\(quoted(text)) is listed twice")
                continue
            }
            draft.settable.append(.init(path: path, span: item.span))
        }
    }

    private static func path(_ text: String, at span: SourceSpan, _ problems: inout Problems) -> PropertyPath? {
        do throws(PathError) {
            return try PropertyPath(text)
        } catch {
            problems.error(at: span, error.message)
            return nil
        }
    }
}
