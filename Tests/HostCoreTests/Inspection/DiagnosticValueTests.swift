import Testing

@testable import HostCore

@Suite struct DiagnosticValueTests {
    @Test func valueHasPlaceAndWhatToDo() {
        let file = SourceFile(path: "a.yaml", text: "é: [\n  bäckground: stop\n")
        let span = SourceSpan(file: file, range: 8..<19)
        let diagnostic = Diagnostic(.error, at: span, "unknown key", help: "valid keys: x", suggestion: "background")
        #expect(
            diagnostic.value == [
                "severity": "error", "message": "unknown key", "file": "a.yaml", "line": 2, "column": 3, "end_line": 2,
                "end_column": 13, "suggestion": "background", "help": "valid keys: x",
            ])
        #expect(Diagnostic(.warning, at: nil, "m").value == ["severity": "warning", "message": "m"])
    }
}
