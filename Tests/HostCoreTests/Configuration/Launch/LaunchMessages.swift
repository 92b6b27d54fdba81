import Testing

@testable import HostCore

/// The whole text a user sees, for each thing that can be wrong with a launch text.
enum LaunchMessages {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var launch: String
        var message: String
        var testDescription: String { name }
    }
}

@Suite struct LaunchMessagesTests {
    @Test(arguments: LaunchMessages.elements + LaunchMessages.links) func messageIsExact(_ one: LaunchMessages.Case) {
        let file = "mediahost: 1\npipelines:\n  a:\n    launch: >\n      \(one.launch)\n"
        #expect(problems(in: file) == one.message)
    }
}
