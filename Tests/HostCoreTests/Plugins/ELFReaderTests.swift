import HostTestKit
import Testing

@testable import HostCore

/// The reader of libraries against real ones, against made ones, and against what is left of them.
@Suite struct ELFReaderTests {
    private static let library = (try? TextFile.read(TestProducts.replayBuffer, most: 1 << 26).bytes) ?? []

    @Test func aRealPluginExportsItsEntryAndNamesWhatItNeeds() throws {
        let reader = try ELFReader(Self.library)
        #expect(try reader.exportsFunction("mh_plugin_entry_1"))
        #expect(try reader.needed().contains("libc.so.6"))
        // Not exported, and imported: neither is defined here for others.
        #expect(try !reader.exportsFunction("mh_plugin_entry_2"))
        #expect(try !reader.exportsFunction("malloc"))
        #expect(try !reader.exportsFunction(""))
        #expect(try reader.exportedNames() == ["mh_plugin_entry_1"])
        #expect(!reader.hasTextRelocations)
        #expect(!reader.hasExecutableStack)
    }

    @Test(arguments: [true, false], [true, false]) func bothClassesAndBothTables(_ isWide: Bool, _ isGNU: Bool) throws {
        for isBig in [true, false] {
            let file = ELFImage(isWide: isWide, isBig: isBig, isGNU: isGNU).bytes
            let reader = try ELFReader(file)
            #expect(try reader.exportsFunction("mh_plugin_entry_1"))
            #expect(try !reader.exportsFunction("mh_plugin_entry_9"))
            #expect(try reader.needed() == ["libneeded.so.1"])
            #expect(try reader.exportedNames() == ["mh_plugin_entry_1"])
            // It has no word on its stack.
            #expect(reader.hasExecutableStack)
        }
    }

    @Test func whatIsNoFunctionIsNoEntry() throws {
        for info: UInt8 in [0x11, 0x02, 0x10] {  // global object, local function, global without a type
            let file = ELFImage(isWide: true, isBig: false, isGNU: true, info: info).bytes
            #expect(try !ELFReader(file).exportsFunction("mh_plugin_entry_1"))
        }
        let imported = ELFImage(isWide: true, isBig: false, isGNU: true, section: 0).bytes
        #expect(try !ELFReader(imported).exportsFunction("mh_plugin_entry_1"))
    }

    @Test func textIsNoLibrary() {
        #expect(throws: ELFReader.Damage.self) { try ELFReader(Array("#!/bin/sh\n".utf8)) }
        #expect(throws: ELFReader.Damage.self) { try ELFReader([UInt8]()) }
    }

    /// Ends in an answer or in an error, whatever was cut off.
    @Test func everyTruncationIsReadToItsEnd() {
        let file = ELFImage(isWide: true, isBig: false, isGNU: true).bytes
        for count in 0..<file.count { Self.read(Array(file[..<count])) }
    }

    @Test func randomDamageIsReadToItsEnd() {
        var campaign = Campaign(rounds: 4000)
        print("ELFReaderTests: \(campaign.note)")
        let made = [true, false].flatMap { wide in
            [true, false].map { ELFImage(isWide: wide, isBig: false, isGNU: $0).bytes }
        }
        for round in 0..<campaign.rounds {
            // The first pages of the real one hold all that is read; the copy stays cheap.
            var file = round % 8 == 0 ? Array(Self.library.prefix(1 << 16)) : made[round % made.count]
            guard !file.isEmpty else { continue }
            for _ in 0..<Int.random(in: 1...12, using: &campaign) {
                let place = Int.random(in: 0..<file.count, using: &campaign)
                file[place] =
                    Bool.random(using: &campaign)
                    ? UInt8.random(in: 0...255, using: &campaign) : file[place] ^ (1 << UInt8(round % 8))
            }
            if round % 5 == 0 { file.removeLast(Int.random(in: 0..<file.count, using: &campaign)) }
            Self.read(file)
        }
    }

    private static func read(_ file: [UInt8]) {
        guard let reader = try? ELFReader(file) else { return }
        _ = try? reader.needed()
        _ = try? reader.exportsFunction("mh_plugin_entry_1")
        _ = try? reader.exportedNames()
    }
}

/// The smallest file that exports one function and needs one library.
private struct ELFImage {
    var isWide: Bool
    var isBig: Bool
    var isGNU: Bool
    /// Of the symbol: binding and type.
    var info: UInt8 = 0x12
    var section: UInt16 = 7

    private static let address: UInt64 = 0x10000

    var bytes: [UInt8] {
        var file = Output(isWide: isWide, isBig: isBig)
        file.bytes = [0x7f, 0x45, 0x4c, 0x46, isWide ? 2 : 1, isBig ? 2 : 1] + [UInt8](repeating: 0, count: 10)
        let headers: UInt64 = isWide ? 64 : 52
        let headerSize: UInt64 = isWide ? 56 : 32
        let symbolSize: UInt64 = isWide ? 24 : 16
        let symbols = headers + 2 * headerSize
        let strings = symbols + 2 * symbolSize
        let names = [UInt8(0)] + Array("mh_plugin_entry_1".utf8) + [0] + Array("libneeded.so.1".utf8) + [0]
        let table = (strings + UInt64(names.count) + 7) / 8 * 8
        let tableSize: UInt64 = isGNU ? 16 + (isWide ? 8 : 4) + 8 : 20
        let dynamic = table + (tableSize + 7) / 8 * 8
        let dynamicSize: UInt64 = (isWide ? 16 : 8) * 6
        let end = dynamic + dynamicSize

        file.half(3)  // ET_DYN
        file.half(62)
        file.number(1, 4)
        file.word(0)
        file.word(headers)
        file.word(0)
        file.number(0, 4)
        file.half(UInt16(headers))
        file.half(UInt16(headerSize))
        file.half(2)
        file.pad(to: headers)
        file.segment(1, offset: 0, address: Self.address, size: end)
        file.segment(2, offset: dynamic, address: Self.address + dynamic, size: dynamicSize)
        file.pad(to: symbols + symbolSize)
        if isWide {
            file.number(1, 4)
            file.bytes += [info, 0]
            file.half(section)
        } else {
            file.number(1, 4)
            file.number(0, 8)
            file.bytes += [info, 0]
            file.half(section)
        }
        file.pad(to: strings)
        file.bytes += names
        file.pad(to: table)
        if isGNU {
            let hash = "mh_plugin_entry_1".utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }
            for value: UInt64 in [1, 1, 1, 0] { file.number(value, 4) }
            file.word(.max)
            file.number(1, 4)
            file.number(UInt64(hash | 1), 4)
        } else {
            for value: UInt64 in [1, 2, 1, 0, 0] { file.number(value, 4) }
        }
        file.pad(to: dynamic)
        let entries: [(UInt64, UInt64)] = [
            (1, 19), (5, Self.address + strings), (10, UInt64(names.count)), (6, Self.address + symbols),
            (isGNU ? 0x6fff_fef5 : 4, Self.address + table), (0, 0),
        ]
        for (tag, value) in entries {
            file.word(tag)
            file.word(value)
        }
        return file.bytes
    }

    private struct Output {
        var isWide: Bool
        var isBig: Bool
        var bytes: [UInt8] = []

        mutating func number(_ value: UInt64, _ count: Int) {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
            bytes += isBig ? little.reversed() : little
        }

        mutating func half(_ value: UInt16) { number(UInt64(value), 2) }
        mutating func word(_ value: UInt64) { number(value, isWide ? 8 : 4) }
        mutating func pad(to count: UInt64) {
            while bytes.count < Int(count) { bytes.append(0) }
        }

        mutating func segment(_ type: UInt64, offset: UInt64, address: UInt64, size: UInt64) {
            let start = bytes.count
            number(type, 4)
            if isWide { number(5, 4) }
            for value in [offset, address, address, size, size] { word(value) }
            pad(to: UInt64(start) + (isWide ? 56 : 32))
        }
    }
}
