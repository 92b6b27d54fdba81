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

    @Test func maskSeesAllThatIsShown() throws {
        let masked = try PipelineGraph.draw(configuration, only: "porch") { String($0.map { $0 == "7" ? "*" : $0 }) }
        #expect(masked.contains("num-buffers=*"))
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
