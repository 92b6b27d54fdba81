import GStreamerKit
import Testing

@testable import HostCore

@Suite struct PipelineGraphTests {
    private let configuration: HostConfiguration

    init() throws {
        try GStreamer.start()
        let file = SourceFile(
            path: "porch.yaml",
            text: """
                mediahost: 1
                pipelines:
                  porch: { launch: fakesrc num-buffers=7 ! fakesink name=end }
                  garden: { launch: fakesrc ! fakesink }
                """)
        configuration = try #require(
            ConfigurationLoader.load(file, environment: [:], catalog: RegistryCatalog()).0)
    }

    @Test func pipelinesAreDrawnWithTheirNamesAndProperties() throws {
        let all = try PipelineGraph.draw(configuration)
        #expect(all.split(separator: "digraph ").count == 2)
        let one = try PipelineGraph.draw(configuration, only: "porch")
        #expect(one.contains(#"GstFakeSink\nend\n"#) && one.contains(#"fakesrc0\nnum-buffers=7"#))
        #expect(!one.contains("garden"))
    }

    /// GStreamer escapes a property's value twice, writes what is no ASCII in octal, and cuts long values in the middle.
    @Test(arguments: [
        "plain-secret", #"p@s"s wörd\!\\k$9"#, "grüße 🎬", #"\\\\"#, "a%b c", "tab\there", #"\303x"#, "{a,b};(c)",
    ])
    func secretsAreMaskedHoweverTheyAreWritten(_ secret: String) throws {
        for path in ["/x/", "/" + String(repeating: "x", count: 70)] {
            let pipeline = try Pipeline(launch: "filesrc name=source ! fakesink", name: "secret")
            pipeline.element(named: "source")?.set("location", to: path + secret + "/end")
            let text = try #require(PipelineGraph.draw(pipeline, .everything, SecretMask([Array(secret.utf8)])))
            let shown = text.split(separator: "\n").filter { $0.contains("location") }
            #expect(shown.contains { $0.contains("\(path)***/end") }, "\(shown)")
        }
    }

    @Test func unknownPipelineIsNamedWithTheNearest() {
        #expect {
            _ = try PipelineGraph.draw(configuration, only: "prch")
        } throws: { error in
            (error as? PipelineFailure)?.message
                == #"there is no pipeline "prch"; did you mean "porch"? (pipelines: porch, garden)"#
        }
    }
}
