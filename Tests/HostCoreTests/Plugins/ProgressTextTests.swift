import Testing

@testable import HostCore

@Suite struct ProgressTextTests {
    /// A fraction that is no number ended a host that logged details.
    @Test(arguments: [.nan, .infinity, -.infinity, 1e300, -0.1, 1.1])
    func aFractionThatIsNoneIsLeftOut(fraction: Double) {
        #expect(PluginInstance.progress(fraction, "copying") == "copying")
    }

    @Test func aFractionIsToldInPercent() {
        #expect(PluginInstance.progress(0, "a") == "0 % a")
        #expect(PluginInstance.progress(0.5, "a") == "50 % a")
        #expect(PluginInstance.progress(1, "a") == "100 % a")
    }
}
