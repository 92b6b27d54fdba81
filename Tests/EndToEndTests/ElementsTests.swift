import Foundation
import Testing

/// `mediahost elements`: what a config needs, also where that is missing.
@Suite(.timeLimit(.minutes(10)))
struct ElementsTests {
    private static let config = """
        mediahost: 1
        pipelines:
          porch: { launch: "videotestsrc ! video/x-raw,width=320 ! nosuchelement ! fakesink" }
          garden: { launch: "fakesrc ! fakesink" }
        """

    @Test func everyElementIsListedAndAMissingOneIsOne() async throws {
        let place = try Workplace()
        try place.write(Self.config, to: "config.yaml")
        let result = try await Tool.run(Workplace.mediahost, ["elements", "config.yaml"], in: place.directory)
        #expect(result.ending == .exit(1))
        #expect(result.errors == "")
        #expect(
            result.output == """
                videotestsrc   from videotestsrc; used by porch
                nosuchelement  MISSING, in no package known; used by porch
                fakesink       from coreelements; used by porch, garden
                capsfilter     from coreelements; used by porch
                fakesrc        from coreelements; used by garden

                """)
    }

    @Test func jsonIsForScripts() async throws {
        let place = try Workplace()
        try place.write("mediahost: 1\npipelines: { a: { launch: fakesrc ! fakesink } }\n", to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["elements", "--json", "config.yaml"], in: place.directory)
        #expect(result.ending == .exit(0))
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let elements = object?["elements"] as? [[String: Any]]
        #expect(elements?.compactMap { $0["element"] as? String } == ["fakesrc", "fakesink"])
        #expect(elements?.first?["plugin"] as? String == "coreelements")
        #expect((object?["packages"] as? [String])?.isEmpty == true)
    }

    @Test func fileWithErrorsIsThree() async throws {
        let place = try Workplace()
        try place.write("mediahost: 1\npipelines: { a: { launch: 'fakesrc !' } }\n", to: "config.yaml")
        let result = try await Tool.run(Workplace.mediahost, ["elements", "config.yaml"], in: place.directory)
        #expect(result.ending == .exit(3))
        #expect(result.errors.contains("config.yaml:2:36: error: nothing follows this link"), "\(result.errors)")
    }
}
