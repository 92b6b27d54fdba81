/// The launch text of a pipeline.
extension ConfigurationFields {
    static func launch(_ node: YAMLNode, _ draft: inout PipelineDraft, _ problems: inout Problems) {
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
}
