import Testing

@testable import HostCore

@Suite struct PluginMetricsTests {
    private func metric(
        _ name: String, unit: String? = nil, help: String = "Helps.", _ kind: MetricKind = .counter,
        labels: [MetricLabel] = []
    ) -> MetricDeclaration {
        MetricDeclaration(name: name, unit: unit, help: help, kind: kind, labels: labels)
    }

    @Test func unitAndKindStandBehindTheName() {
        #expect(metric("frames").fullName == "frames_total")
        #expect(metric("frames_total").fullName == "frames_total")
        #expect(metric("written", unit: "bytes").fullName == "written_bytes_total")
        #expect(metric("written_bytes_total", unit: "bytes").fullName == "written_bytes_total")
        #expect(metric("fill", unit: "bytes", .gauge).fullName == "fill_bytes")
    }

    @Test(arguments: ["", "9lives", "a-b", "a b", "ä", "a{", "a\n", "a:b", String(repeating: "a", count: 200)])
    func whatIsNoNameIsRefused(_ name: String) {
        #expect(throws: PluginMetrics.Refusal.self) { try PluginMetrics().declare(metric(name)) }
    }

    @Test(arguments: ["", "plugin", "le", "quantile", "__x", "1", "a-b"])
    func whatIsNoLabelIsRefused(_ label: String) {
        let metrics = PluginMetrics()
        #expect(throws: PluginMetrics.Refusal.self) {
            try metrics.declare(metric("a", labels: [MetricLabel(label, "x")]))
        }
        #expect(metrics.readings.isEmpty)
    }

    @Test func otherFaultsAreRefused() {
        let metrics = PluginMetrics()
        let label = MetricLabel("a", "b")
        for bad in [
            metric("a", unit: "s/m"), metric("a", help: ""), metric("a_total", .gauge),
            metric("a", help: String(repeating: "h", count: 1025)), metric("a", labels: [label, label]),
        ] {
            #expect(throws: PluginMetrics.Refusal.self) { try metrics.declare(bad) }
        }
    }

    @Test func theSameAgainIsTheSameCell() throws {
        let metrics = PluginMetrics()
        let first = try metrics.declare(metric("drops", labels: [MetricLabel("why", "late")]))
        let other = try metrics.declare(metric("drops", labels: [MetricLabel("why", "early")]))
        #expect(try metrics.declare(metric("drops_total", labels: [MetricLabel("why", "late")])) == first)
        #expect(first != other)
        #expect(throws: PluginMetrics.Refusal.self) { try metrics.declare(metric("drops", help: "Another.")) }
        MetricCell.add(first, 2)
        #expect(metrics.value == [#"drops_total{why="late"}"#: 2, #"drops_total{why="early"}"#: 0])
    }

    @Test func whatHasOneNameInTheEndIsOneKind() throws {
        let metrics = PluginMetrics()
        _ = try metrics.declare(MetricDeclaration(name: "same", help: "a", kind: .counter))
        for (name, unit) in [("same", "total"), ("same_total", nil)] {
            #expect(throws: PluginMetrics.Refusal.self) {
                try metrics.declare(MetricDeclaration(name: name, unit: unit, help: "a", kind: .gauge))
            }
        }
        let labels = [MetricLabel("a", "1"), MetricLabel("b", "2")]
        let one = try metrics.declare(MetricDeclaration(name: "x", help: "a", kind: .gauge, labels: labels))
        let other = try metrics.declare(
            MetricDeclaration(name: "x", help: "a", kind: .gauge, labels: labels.reversed()))
        #expect(one == other && metrics.readings.count == 2)
    }

    @Test func thereIsALimit() throws {
        let metrics = PluginMetrics()
        for number in 0..<PluginMetrics.most { _ = try metrics.declare(metric("m\(number)")) }
        let refusal = #expect(throws: PluginMetrics.Refusal.self) { try metrics.declare(metric("more")) }
        #expect(refusal?.isLimit == true)
        _ = try metrics.declare(metric("m0"))
    }

    @Test func aCounterOnlyGrowsAndAGaugeDoesAsItIsTold() throws {
        let metrics = PluginMetrics()
        let counter = try metrics.declare(metric("c"))
        let gauge = try metrics.declare(metric("g", .gauge))
        for change in [1.5, -1, .nan, .infinity] {
            MetricCell.add(counter, change)
            MetricCell.add(gauge, change)
        }
        MetricCell.set(counter, 9)
        #expect(metrics.readings.map(\.value) == [1.5, 0.5])
        MetricCell.set(gauge, -7)
        #expect(metrics.value == ["c_total": .double(1.5), "g": -7])
        MetricCell.set(gauge, .nan)
        #expect(metrics.value["g"] == .null)
        MetricCell.add(nil, 1)
        MetricCell.set(nil, 1)
    }

    @Test func noChangeIsLostBetweenThreads() async throws {
        let metrics = PluginMetrics()
        // Atomic, and never freed.
        nonisolated(unsafe) let cell = try metrics.declare(metric("c"))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<20_000 { MetricCell.add(cell, 1) } } }
        }
        #expect(metrics.readings.first?.value == 80_000)
    }
}
