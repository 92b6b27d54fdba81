import Foundation
import Testing

@testable import HostCore

/// The reference, its schema and its page say what the tables say. `make docs` writes them anew.
@Suite struct ReferenceTests {
    static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1"

    private func read(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Self.checkout)/\(path)", encoding: .utf8)
    }

    /// Whether the file holds `text`; with UPDATE_DOCS=1 it does afterwards.
    private func holds(_ path: String, _ text: String) throws -> Bool {
        if Self.isUpdating { try text.write(toFile: "\(Self.checkout)/\(path)", atomically: true, encoding: .utf8) }
        return try read(path) == text
    }

    private func load(_ text: String) -> (HostConfiguration?, [Diagnostic]) {
        ConfigurationLoader.load(
            SourceFile(path: "mediahost.yaml", text: text), environment: [:], catalog: TestCatalog())
    }

    @Test func schemaIsWrittenFromTheTables() throws {
        #expect(try holds("docs/mediahost.schema.json", ConfigurationSchema.jsonText()), "run make docs")
    }

    @Test func referenceIsWrittenFromTheTables() throws {
        #expect(try holds("mediahost.yaml", ReferenceFile.text()), "run make docs")
    }

    @Test func pageHasTheTables() throws {
        let page = try read("docs/configuration.md")
        let marks = ["<!-- written by make docs -->\n", "<!-- end -->"]
        let before = try #require(page.range(of: marks[0]))
        let after = try #require(page.range(of: marks[1], range: before.upperBound..<page.endIndex))
        let text = page[..<before.upperBound] + KeyTables.text() + page[after.lowerBound...]
        #expect(try holds("docs/configuration.md", String(text)), "run make docs")
    }

    @Test func referenceIsTheDefaults() throws {
        let (reference, found) = load(try read("mediahost.yaml"))
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        let launch = try #require(reference?.pipelines.first?.launch.text.string)
        let (bare, _) = load("mediahost: 1\npipelines: { example: { launch: \(launch) } }\n")
        #expect(bare != nil)
        #expect(reference == bare)
    }

    @Test func itsExamplesAreValid() throws {
        let text = try read("mediahost.yaml")
        let (loaded, found) = load(ReferenceFile.withExamples(text))
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        #expect(loaded?.plugins.count == 1)
        #expect(loaded?.control.socket != nil)
        #expect(loaded?.pipelines.first?.latency != nil)
        #expect(loaded?.pipelines.first?.warmUp?.at != nil)
        for key in ConfigurationFields.parameter.descriptions.map(\.key) { #expect(text.contains(" \(key): ")) }
    }

    @Test func filesOnThePageAreValid() throws {
        let files = try read("docs/configuration.md").components(separatedBy: "```yaml\n").dropFirst()
            .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
            .filter { $0.hasPrefix("mediahost: 1\n") }
        #expect(files.count >= 4)
        for file in files {
            let (loaded, found) = ConfigurationLoader.load(
                SourceFile(path: "configuration.md", text: file), environment: [:], catalog: nil)
            #expect(loaded != nil && found.isEmpty, "\(DiagnosticRenderer().render(found))")
        }
    }

    @Test func everyKeyHasItsMeaningAndADefaultOrAnExample() {
        func check(_ fields: [FieldDescription], _ path: String) {
            for field in fields {
                #expect(!field.summary.isEmpty, "\(path)\(field.key)")
                let shows = field.defaultText != nil || field.example != nil || !field.kind.takesScalars
                #expect(shows, "\(path)\(field.key) has neither default nor example")
                if let keys = field.kind.keys { check(keys, "\(path)\(field.key).") }
                if case .named(_, let value) = field.kind, let keys = value.keys { check(keys, "\(path)\(field.key).") }
            }
        }
        check(ConfigurationFields.file.descriptions, "")
    }
}
