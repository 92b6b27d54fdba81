import Testing

@testable import HostCore

/// Variables in launch texts: in double quotes a value goes in whole, elsewhere as if it had been typed.
@Suite struct LaunchVariableTests {
    /// The elements and their values, or the messages.
    func launch(_ text: String, _ variables: [String: String]) -> String {
        let yaml = "mediahost: 1\npipelines:\n  a:\n    launch: |-\n      \(text)\n"
        let file = SourceFile(path: "porch.yaml", text: yaml)
        let (loaded, found) = ConfigurationLoader.load(file, environment: variables, catalog: nil)
        guard let pipeline = loaded?.pipelines.first else { return found.map(\.message).joined(separator: "; ") }
        return pipeline.launch.elements.map { element in
            ([element.factory] + element.properties.map { "\($0.key)=\($0.value)" }).joined(separator: "|")
        }.joined(separator: " ")
    }

    @Test(arguments: [
        (#"filesrc location="${F}" ! x"#, #"/a b\c"#, #"filesrc|location=/a b\c x"#),
        (#"filesrc location="${F}" ! x"#, #"say "hi""#, #"filesrc|location=say "hi" x"#),
        (#"filesrc location="${F}" ! x"#, #"a\"b"#, #"filesrc|location=a\"b x"#),
        (#"filesrc location="${F}" ! x y="z""#, "a ! b", "filesrc|location=a ! b x|y=z"),
        (#"p uri="file://${F}" ! x"#, #"/m y\.mp4"#, #"p|uri=file:///m y\.mp4 x"#),
        (
            #"p sink="${F} sync=true" ! x"#, #"filesink location=\"a b\""#,
            #"p|sink=filesink location=\"a b\" sync=true x"#
        ),
        (#"p a="1" b="${NO:-${F}}" ! x"#, #"q"r"#, #"p|a=1|b=q"r x"#),
        (#"p location=${F} ! x"#, #"a\ b"#, "p|location=a b x"),
        ("${F} ! x", "filesrc location=a", "filesrc|location=a x"),
        (#"p ${F} y="${F}" ! x"#, #"z="1 2""#, #"p|z=1 2|y=z="1 2" x"#),
        (
            #"filesrc location="${F}" ! x"#, #"a\"#, "this value ends in a backslash, which hides the quote behind it"
        ),
        (#"filesrc location="${F}.mp4" ! x"#, #"a\"#, #"filesrc|location=a\.mp4 x"#),
    ])
    func valueArrivesAsItIs(_ text: String, _ value: String, _ result: String) {
        #expect(launch(text, ["F": value]) == result)
    }
}
