/// What the dynamic loader would look up in a shared library, read by somebody who trusts none of it: the libraries it needs
/// and whether it exports a function.
///
/// Every offset, size and count comes from the file, so each is checked before it is used, and every walk has an end
/// (elf(5), and the generic ABI for the hash tables).
struct ELFReader {
    /// The file is damaged; the message says what of it.
    struct Damage: Error, Equatable {
        var message: String
        init(_ message: String) { self.message = message }
    }

    private struct Segment {
        var offset: UInt64
        var address: UInt64
        var size: UInt64
    }

    /// What the dynamic section names, by its tag.
    private enum Tag {
        static let null: UInt64 = 0
        static let needed: UInt64 = 1
        static let hash: UInt64 = 4
        static let strings: UInt64 = 5
        static let symbols: UInt64 = 6
        static let stringsSize: UInt64 = 10
        static let gnuHash: UInt64 = 0x6fff_fef5
        static let textRelocations: UInt64 = 22
        static let flags: UInt64 = 30
    }

    private static let mostSegments: UInt64 = 256
    private static let mostEntries: UInt64 = 4096
    private static let longestChain = 4096
    private static let longestName = 4096

    private let source: any ByteSource
    private let isWide: Bool
    private let isBig: Bool
    private var segments: [Segment] = []
    private var tables: [UInt64: UInt64] = [:]
    private var neededOffsets: [UInt64] = []
    /// Whether it says that its stack may have code; a file that says nothing is old, and asks for it.
    private(set) var hasExecutableStack = true

    /// Reads the program headers and the dynamic section.
    init(_ source: any ByteSource) throws(Damage) {
        guard let ident = source.bytes(at: 0, count: 16), ident.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
            throw Damage("it does not begin like an ELF file")
        }
        guard 1...2 ~= ident[4], 1...2 ~= ident[5] else { throw Damage("its class or byte order is unknown") }
        self.source = source
        isWide = ident[4] == 2
        isBig = ident[5] == 2
        try readSegments()
    }

    /// The names under DT_NEEDED, in their order.
    func needed() throws(Damage) -> [String] {
        var names: [String] = []
        for offset in neededOffsets { names.append(try string(offset)) }
        return names
    }

    /// Whether the dynamic loader would find a function of this name: the same look-up that `dlsym` does.
    func exportsFunction(_ name: String) throws(Damage) -> Bool {
        if let table = tables[Tag.gnuHash] { return try gnuLookup(name, table) }
        if let table = tables[Tag.hash] { return try systemVLookup(name, table) }
        return false
    }

    /// Whether the loader has to write into its code (DF_TEXTREL).
    var hasTextRelocations: Bool { tables[Tag.textRelocations] != nil || (tables[Tag.flags] ?? 0) & 4 != 0 }

    /// Everything that another library could bind to, in the table's order.
    func exportedNames() throws(Damage) -> [String] {
        var names: [String] = []
        for index in try exportedRange() {
            guard let (name, _) = try exported(index) else { continue }
            names.append(try string(name))
        }
        return names
    }

    // MARK: - Headers

    private mutating func readSegments() throws(Damage) {
        let start = try word(at: isWide ? 32 : 28)
        let size = try number(at: isWide ? 54 : 42, bytes: 2)
        let count = try number(at: isWide ? 56 : 44, bytes: 2)
        guard count > 0, count <= Self.mostSegments, size >= (isWide ? 56 : 32) else {
            throw Damage("its program headers make no sense")
        }
        var dynamic: Segment?
        for index in 0..<count {
            let header = try place(start, index, size)
            let type = try number(at: header, bytes: 4)
            let segment = Segment(
                offset: try word(at: sum(header, isWide ? 8 : 4)), address: try word(at: sum(header, isWide ? 16 : 8)),
                size: try word(at: sum(header, isWide ? 32 : 16)))
            if type == 1 { segments.append(segment) }
            if type == 2 { dynamic = segment }
            if type == 0x6474_e551 {
                hasExecutableStack = try number(at: sum(header, isWide ? 4 : 24), bytes: 4) & 1 != 0
            }
        }
        guard let dynamic else { throw Damage("it has no dynamic section") }
        try readDynamic(dynamic)
    }

    private mutating func readDynamic(_ section: Segment) throws(Damage) {
        let width: UInt64 = isWide ? 8 : 4
        let count = min(section.size / (2 * width), Self.mostEntries)
        for index in 0..<count {
            let entry = try place(section.offset, index, 2 * width)
            let tag = try word(at: entry)
            if tag == Tag.null { return }
            let value = try word(at: sum(entry, width))
            if tag == Tag.needed { neededOffsets.append(value) } else { tables[tag] = value }
        }
        throw Damage("its dynamic section has no end")
    }

    /// From an address in memory to a place in the file.
    private func offset(of address: UInt64) throws(Damage) -> UInt64 {
        for segment in segments where address >= segment.address && address - segment.address < segment.size {
            return try sum(segment.offset, address - segment.address)
        }
        throw Damage("its dynamic section points outside the file")
    }

    // MARK: - Names and symbols

    private func string(_ index: UInt64) throws(Damage) -> String {
        guard let table = tables[Tag.strings], let size = tables[Tag.stringsSize], index < size else {
            throw Damage("a name lies outside its string table")
        }
        let start = try sum(offset(of: table), index)
        var name: [UInt8] = []
        var left = min(size - index, UInt64(Self.longestName))
        while left > 0 {
            let step = min(left, 64)
            guard let piece = source.bytes(at: try sum(start, UInt64(name.count)), count: Int(step)) else {
                throw Damage("its string table lies outside the file")
            }
            if let end = piece.firstIndex(of: 0) {
                return String(decoding: name + piece[..<end], as: UTF8.self)
            }
            name += piece
            left -= step
        }
        throw Damage("a name in its string table has no end")
    }

    /// Whether symbol `index` is a function of this name that is defined here and visible.
    private func isFunction(_ index: UInt64, _ name: String) throws(Damage) -> Bool {
        // A function, or one that is chosen at load time.
        guard let (place, type) = try exported(index), [2, 10].contains(type) else { return false }
        return try string(place) == name
    }

    /// Where the name of symbol `index` is and what it is, where it is defined here and visible.
    private func exported(_ index: UInt64) throws(Damage) -> (name: UInt64, type: UInt64)? {
        guard let table = tables[Tag.symbols] else { throw Damage("it has no symbol table") }
        let symbol = try place(offset(of: table), index, isWide ? 24 : 16)
        let info = try number(at: sum(symbol, isWide ? 4 : 12), bytes: 1)
        let visibility = try number(at: sum(symbol, isWide ? 5 : 13), bytes: 1) & 3
        let section = try number(at: sum(symbol, isWide ? 6 : 14), bytes: 2)
        // Global or weak (10 is STB_GNU_UNIQUE).
        guard [1, 2, 10].contains(info >> 4), section != 0, visibility == 0 || visibility == 3 else { return nil }
        return (try number(at: symbol, bytes: 4), info & 15)
    }

    /// The symbols that a hash table knows: those that can be bound to.
    private func exportedRange() throws(Damage) -> Range<UInt64> {
        let most: UInt64 = 1 << 16
        if let table = tables[Tag.gnuHash] {
            let start = try offset(of: table)
            let buckets = try number(at: start, bytes: 4)
            let first = try number(at: sum(start, 4), bytes: 4)
            let blooms = try number(at: sum(start, 8), bytes: 4)
            guard buckets <= most else { throw Damage("its table of symbols makes no sense") }
            let bucketPlace = try place(sum(start, 16), blooms, isWide ? 8 : 4)
            let chainPlace = try place(bucketPlace, buckets, 4)
            var last: UInt64 = 0
            for bucket in 0..<buckets { last = max(last, try number(at: place(bucketPlace, bucket, 4), bytes: 4)) }
            guard last >= first, last != 0 else { return 0..<0 }
            while try number(at: place(chainPlace, last - first, 4), bytes: 4) & 1 == 0 {
                last += 1
                guard last - first < most else { throw Damage("its table of symbols has no end") }
            }
            return first..<last + 1
        }
        guard let table = tables[Tag.hash] else { return 0..<0 }
        let count = try number(at: sum(offset(of: table), 4), bytes: 4)
        guard count <= most else { throw Damage("its table of symbols makes no sense") }
        return min(1, count)..<count
    }

    private func gnuLookup(_ name: String, _ table: UInt64) throws(Damage) -> Bool {
        let start = try offset(of: table)
        let buckets = try number(at: start, bytes: 4)
        let first = try number(at: sum(start, 4), bytes: 4)
        let blooms = try number(at: sum(start, 8), bytes: 4)
        guard buckets > 0 else { return false }
        let bucketPlace = try place(sum(start, 16), blooms, isWide ? 8 : 4)
        let chainPlace = try place(bucketPlace, buckets, 4)
        let hash = name.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }
        var index = try number(at: place(bucketPlace, UInt64(hash) % buckets, 4), bytes: 4)
        guard index >= first, index != 0 else { return false }
        for _ in 0..<Self.longestChain {
            let entry = try number(at: place(chainPlace, index - first, 4), bytes: 4)
            if entry | 1 == UInt64(hash | 1), try isFunction(index, name) { return true }
            if entry & 1 == 1 { return false }
            index += 1
        }
        throw Damage("its table of symbols has no end")
    }

    private func systemVLookup(_ name: String, _ table: UInt64) throws(Damage) -> Bool {
        let start = try offset(of: table)
        let buckets = try number(at: start, bytes: 4)
        let chains = try number(at: sum(start, 4), bytes: 4)
        guard buckets > 0 else { return false }
        var hash: UInt32 = 0
        for byte in name.utf8 {
            hash = hash << 4 &+ UInt32(byte)
            let high = hash & 0xf000_0000
            hash = (hash ^ (high >> 24)) & ~high
        }
        var index = try number(at: place(sum(start, 8), UInt64(hash) % buckets, 4), bytes: 4)
        let chainPlace = try place(sum(start, 8), buckets, 4)
        for _ in 0..<Self.longestChain {
            guard index != 0 else { return false }
            guard index < chains else { throw Damage("its table of symbols points outside itself") }
            if try isFunction(index, name) { return true }
            index = try number(at: place(chainPlace, index, 4), bytes: 4)
        }
        throw Damage("its table of symbols has no end")
    }

    // MARK: - Numbers

    /// An address or an offset, as wide as the file's class has them.
    private func word(at offset: UInt64) throws(Damage) -> UInt64 { try number(at: offset, bytes: isWide ? 8 : 4) }

    private func number(at offset: UInt64, bytes: Int) throws(Damage) -> UInt64 {
        guard let found = source.bytes(at: offset, count: bytes) else { throw Damage("it ends too early") }
        return (isBig ? found : found.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func place(_ base: UInt64, _ index: UInt64, _ size: UInt64) throws(Damage) -> UInt64 {
        let (distance, isOver) = index.multipliedReportingOverflow(by: size)
        guard !isOver else { throw Damage("an offset in it is too large") }
        return try sum(base, distance)
    }

    private func sum(_ left: UInt64, _ right: UInt64) throws(Damage) -> UInt64 {
        let (result, isOver) = left.addingReportingOverflow(right)
        guard !isOver else { throw Damage("an offset in it is too large") }
        return result
    }
}
