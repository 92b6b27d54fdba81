extension ConfigurationCheck.Result {
    /// As scripts and editors read it.
    public func value(for file: String) -> Value {
        [
            "file": .string(file), "ok": .bool(configuration != nil),
            "diagnostics": .list(diagnostics.map(\.value)),
        ]
    }
}
