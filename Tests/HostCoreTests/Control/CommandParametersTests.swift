import Testing

@testable import HostCore

@Suite struct CommandParametersTests {
    private let schema: Value = [
        "properties": ["to": ["type": "string", "format": "path"], "name": ["type": "string"]]
    ]

    @Test func relativePathsBeginWhereTheUserStands() {
        let given: Value = ["to": "clips/a.mkv", "name": "b", "other": "c"]
        #expect(
            CommandParameters.absolute(given, schema: schema, in: "/srv/media") == [
                "to": "/srv/media/clips/a.mkv", "name": "b", "other": "c",
            ])
    }

    @Test(arguments: ["/tmp/a.mkv", ""])
    func otherTextsStayAsTheyAre(_ path: String) {
        let given: Value = ["to": .string(path)]
        #expect(CommandParameters.absolute(given, schema: schema, in: "/home") == given)
        #expect(CommandParameters.absolute(["to": "a"], schema: nil, in: "/home") == ["to": "a"])
        #expect(CommandParameters.absolute(["to": 5], schema: schema, in: "/home") == ["to": 5])
    }
}
