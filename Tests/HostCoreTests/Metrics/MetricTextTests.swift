import Testing

@testable import HostCore

@Suite struct MetricTextTests {
    @Test func aFamilyHasHelpTypeAndSamples() {
        var family = MetricFamily("mediahost_x_total", .counter, "Counts \"x\".\nIn \\ lines.")
        family.add(3, ["pipeline": "a\"b\\c\nd", "state": "Grüße 🎬"])
        family.add(0.25)
        #expect(
            MetricText.render([family, MetricFamily("mediahost_none", .gauge, "Nothing.")]) == #"""
                # HELP mediahost_x_total Counts "x".\nIn \\ lines.
                # TYPE mediahost_x_total counter
                mediahost_x_total{pipeline="a\"b\\c\nd",state="Grüße 🎬"} 3
                mediahost_x_total 0.25

                """#)
    }

    @Test(arguments: [
        (0.0, "0"), (-3, "-3"), (1e15, "1000000000000000"), (1e300, "1e+300"), (0.1, "0.1"), (.infinity, "+Inf"),
        (-.infinity, "-Inf"), (.nan, "NaN"),
    ]) func numbersAreWrittenAsPrometheusReadsThem(_ number: Double, _ text: String) {
        #expect(MetricText.number(number) == text)
    }
}
