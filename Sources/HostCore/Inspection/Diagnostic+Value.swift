extension Diagnostic {
    /// As scripts and editors read it. Lines and columns count from 1, columns in characters.
    public var value: Value {
        var members: [Value.Member] = [
            .init("severity", .string(severity.rawValue)), .init("message", .string(message)),
        ]
        if let span {
            let (start, end) = (span.start, span.file.position(at: span.range.upperBound))
            members += [
                .init("file", .string(span.file.path)), .init("line", .int(Int64(start.line))),
                .init("column", .int(Int64(start.column))), .init("end_line", .int(Int64(end.line))),
                .init("end_column", .int(Int64(end.column))),
            ]
        }
        if let suggestion { members.append(.init("suggestion", .string(suggestion))) }
        if let help { members.append(.init("help", .string(help))) }
        return .map(members)
    }
}
