import PluginABI
import Testing

@testable import HostCore

/// What a plugin reads and writes through `mh.value.draft/1`.
@Suite struct ValueBridgeTests {
    private let table = HostInterface.value.pointee

    private func text(_ value: mh_str_1) -> String { String(value) }

    @Test func treesReadBackThroughTheTable() {
        let root = ValueNode(["name": "porch", "count": 3, "list": [true, .double(0.5)], "nothing": .null])
        let handle = root.handle
        #expect(table.type(handle) == mh_value_type(MH_VALUE_MAP))
        #expect(table.count(handle) == 4)
        #expect(text(table.key(handle, 1)) == "count")
        let name = "name".withABI { table.member(handle, $0) }
        #expect(text(table.as_string(name)) == "porch")
        #expect(table.as_string(name).ptr.map { String(cString: $0) } == "porch")
        #expect(table.as_int("count".withABI { table.member(handle, $0) }) == 3)
        let list = "list".withABI { table.member(handle, $0) }
        #expect(table.as_bool(table.item(list, 0)) == 1)
        #expect(table.as_double(table.item(list, 1)) == 0.5)
        #expect(table.type("nothing".withABI { table.member(handle, $0) }) == mh_value_type(MH_VALUE_NULL))
    }

    @Test func wrongUseReadsAsNothing() {
        let root = ValueNode(["a": 1])
        #expect("b".withABI { table.member(root.handle, $0) } == nil)
        #expect(table.item(root.handle, 99) == nil)
        #expect(table.as_string(root.handle).len == 0)
        #expect(table.as_int(nil) == 0)
        #expect(table.count(nil) == 0)
        #expect(table.key(nil, 0).len == 0)
    }

    @Test func buildersNestAndCloseByThemselves() {
        let builder = table.build()
        "a".withABI { table.put_int(builder, $0, 1) }
        "list".withABI { table.open_list(builder, $0) }
        "".withABI { key in "x".withABI { table.put_string(builder, key, $0) } }
        "".withABI { table.open_map(builder, $0) }
        "deep".withABI { table.put_bool(builder, $0, 1) }
        #expect(ValueBuilder.consume(builder) == ["a": 1, "list": ["x", ["deep": true]]])
    }

    @Test func bottomlessNestingIsCutOffAndStaysBalanced() {
        let builder = ValueBuilder()
        for _ in 0..<1000 { builder.openMap("m") }
        builder.put("lost", 1)
        for _ in 0..<1000 { builder.close() }
        builder.put("kept", 2)
        #expect(builder.finish()["kept"] == 2)
    }

    @Test func theLastOfTwoEqualKeysCounts() {
        let builder = ValueBuilder()
        builder.put("a", 1)
        builder.put("a", 2)
        #expect(builder.finish() == ["a": 2])
    }

    @Test func brokenTextIsRepaired() {
        let bytes: [CChar] = [0x61, -1, 0x62]
        bytes.withUnsafeBufferPointer { #expect(text(mh_str_1(ptr: $0.baseAddress, len: 3)) == "a\u{FFFD}b") }
        #expect(text(mh_str_1(ptr: nil, len: 5)) == "")
    }
}
