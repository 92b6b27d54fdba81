import Testing

@testable import HostCore

@Suite struct FindingReportTests {
    private let report = FindingReport([
        Finding("devices", .ok, "sound card"), Finding("clock", .warning, "not synchronised", fix: "set it\nor not"),
        Finding("devices", .error, "no camera"),
    ])

    @Test func topicsAreParagraphsInTheirFirstOrder() {
        #expect(
            report.render() == """
                devices
                  ok       sound card
                  error    no camera
                clock
                  warning  not synchronised
                           do: set it
                               or not
                1 error, 1 warning
                """)
        #expect(!report.isHealthy)
    }

    @Test func coloursChangeNoLetter() {
        let coloured = report.render(colour: true)
        #expect(coloured.contains("\u{1B}[1;31merror\u{1B}[0m    no camera"))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == report.render())
    }

    @Test func valueCountsAndLists() {
        #expect(report.value["healthy"] == false)
        #expect(report.value["errors"] == 1 && report.value["warnings"] == 1)
        let second = report.value["findings"]?.list?[1]
        #expect(second == ["topic": "clock", "level": "warning", "text": "not synchronised", "fix": "set it\nor not"])
    }
}
