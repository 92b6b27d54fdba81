import PluginABI
import Testing

@testable import HostCore

/// `mh.metrics.draft/1` as a plugin in C sees it.
@Suite struct PluginMetricsTableTests {
    @HostActor private static func declare(
        _ it: ScriptedPlugin, _ name: String?, kind: Int = MH_METRIC_COUNTER, label: (String, String)? = nil
    ) -> (status: mh_status, cell: OpaquePointer?) {
        let table = it.table(MH_EXT_METRICS, as: mh_metrics_ext_1.self)
        let texts = [name ?? "", "Helps.", label?.0 ?? "", label?.1 ?? ""].map { text in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
            _ = copy.initialize(from: text.utf8CString)
            return copy
        }
        defer { for text in texts { text.deallocate() } }
        var row = mh_label_1(name: texts[2].baseAddress, value: texts[3].baseAddress)
        var cell: OpaquePointer?
        let status = withUnsafePointer(to: &row) { row in
            var metric = mh_metric_1(
                name: name == nil ? nil : UnsafePointer(texts[0].baseAddress), unit: nil, help: texts[1].baseAddress,
                labels: label == nil ? nil : row, kind: mh_metric_kind(kind), label_count: label == nil ? 0 : 1)
            return table?.pointee.declare?(it.host, &metric, &cell) ?? 1
        }
        return (status, cell)
    }

    @Test @HostActor func aMetricIsDeclaredInInitAndChangedAfterTheEnd() async throws {
        let it = ScriptedPlugin()
        var cell: OpaquePointer?
        it.onInit = {
            let made = Self.declare(it, "frames", label: ("stream", "a\"b"))
            cell = made.cell
            return made.status
        }
        let instance = try it.make()
        try instance.activate()
        let table = it.table(MH_EXT_METRICS, as: mh_metrics_ext_1.self)
        table?.pointee.add?(cell, 3)
        #expect(cell != nil)
        #expect(instance.context.metrics.value == [#"frames_total{stream="a\"b"}"#: 3])
        await it.end(instance)
        table?.pointee.add?(cell, 1)
        table?.pointee.set?(cell, 1)
        table?.pointee.add?(nil, 1)
        let late = Self.declare(it, "late")
        #expect(late.status == mh_status(MH_E_STATE) && late.cell == nil)
    }

    @Test @HostActor func whatIsWrongIsAStatusAndALine() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        let invalid = mh_status(MH_E_INVALID)
        #expect(Self.declare(it, nil).status == invalid)
        #expect(Self.declare(it, "a-b").status == invalid)
        #expect(Self.declare(it, "ab", kind: 7).status == invalid)
        #expect(Self.declare(it, "ab", label: ("plugin", "x")).status == invalid)
        #expect(it.lines("cannot declare metric") == 4)
        #expect(it.lines(#"cannot declare metric "a-b": a name has letters, digits and "_""#) == 1)
        for number in 0..<PluginMetrics.most { #expect(Self.declare(it, "m\(number)").status == 0) }
        #expect(Self.declare(it, "more").status == mh_status(MH_E_LIMIT))
        await it.end(instance)
    }

    @Test @HostActor func onlyTheControlThreadDeclares() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        // The host's, immortal.
        nonisolated(unsafe) let host = it.host
        let status = await Task.detached {
            var metric = mh_metric_1()
            var cell: OpaquePointer?
            return HostInterface.metrics.pointee.declare?(host, &metric, &cell) ?? 1
        }.value
        #expect(status == mh_status(MH_E_STATE))
        await it.end(instance)
    }
}
