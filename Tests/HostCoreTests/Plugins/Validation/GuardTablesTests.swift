import Testing

@testable import HostCore

@Suite struct GuardTablesTests {
    /// What to do about one that is missing stands at `GuardTables`.
    @Test func everyExtensionOfTheHostIsGuarded() {
        let unguarded = HostInterface.ids.filter { !GuardTables.guards($0) }
        #expect(unguarded == GuardTables.unguarded)
    }

    /// Each function that a plugin calls is told apart by its name, on the wire and in what is said of it.
    @Test func aRuleHasARoleAndAPhaseWhereItMayBeCalled() {
        for function in HostFunction.allCases {
            let rule = function.rule
            #expect(!rule.roles.isEmpty && !rule.phases.isEmpty, "\(function)")
            #expect(rule.tag.contains(".h: [") || rule.tag.contains(".h"), "\(function)")
            let isAllowed = rule.roles.contains { role in
                rule.phases.contains { function.fault(role, $0) == nil }
            }
            #expect(isAllowed, "\(function)")
            #expect(function.fault(.main, .gone) != nil || rule.phases.contains(.gone), "\(function)")
        }
    }
}
