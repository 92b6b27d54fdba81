/// Values and calls as bytes. Both ends are the same program, so the code has no versions; it is read by somebody who trusts
/// nothing in it all the same, because a plugin may write to any file.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: Value) {
        switch value {
        case .null: bytes.append(0)
        case .bool(let flag): bytes += [1, flag ? 1 : 0]
        case .int(let number):
            bytes.append(2)
            put(UInt64(bitPattern: number))
        case .double(let number):
            bytes.append(3)
            put(number.bitPattern)
        case .string(let text):
            bytes.append(4)
            put(text)
        case .list(let items):
            bytes.append(5)
            put(UInt64(items.count))
            for item in items { put(item) }
        case .map(let members):
            bytes.append(6)
            put(UInt64(members.count))
            for member in members {
                put(member.key)
                put(member.value)
            }
        }
    }

    mutating func put(_ number: UInt64) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
    }

    mutating func put(_ text: String) {
        put(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func put(_ data: [UInt8]) {
        put(UInt64(data.count))
        bytes += data
    }
}

struct WireReader {
    struct Damage: Error {}

    private let bytes: [UInt8]
    private var place = 0
    private static let deepest = 200

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number() throws(Damage) -> UInt64 {
        guard bytes.count - place >= 8 else { throw Damage() }
        defer { place += 8 }
        return (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << ($1 * 8) }
    }

    mutating func data() throws(Damage) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: try number()), count <= bytes.count - place else { throw Damage() }
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func text() throws(Damage) -> String { String(decoding: try data(), as: UTF8.self) }

    mutating func value(depth: Int = 0) throws(Damage) -> Value {
        guard place < bytes.count, depth < Self.deepest else { throw Damage() }
        let tag = bytes[place]
        place += 1
        switch tag {
        case 0: return .null
        case 1:
            guard place < bytes.count else { throw Damage() }
            defer { place += 1 }
            return .bool(bytes[place] != 0)
        case 2: return .int(Int64(bitPattern: try number()))
        case 3: return .double(Double(bitPattern: try number()))
        case 4: return .string(try text())
        case 5:
            var items: [Value] = []
            for _ in 0..<(try count()) { items.append(try value(depth: depth + 1)) }
            return .list(items)
        case 6:
            var members: [Value.Member] = []
            for _ in 0..<(try count()) { members.append(.init(try text(), try value(depth: depth + 1))) }
            return .map(members)
        default: throw Damage()
        }
    }

    /// Of things that take a byte each at least.
    private mutating func count() throws(Damage) -> Int {
        guard let count = Int(exactly: try number()), count <= bytes.count - place else { throw Damage() }
        return count
    }
}

/// What goes over a socket.
enum WireFrame: Sendable, Equatable {
    case call(TrialCall)
    case answer([Value])

    var bytes: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .call(let call):
            writer.put(.string(call.function))
            writer.put(.int(call.instance))
            writer.put(.list(call.arguments))
            writer.put(call.data)
        case .answer(let values):
            writer.put(.null)
            writer.put(.list(values))
        }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(WireReader.Damage) {
        var reader = WireReader(bytes)
        guard let function = try reader.value().string else {
            self = .answer(try reader.value().list ?? [])
            return
        }
        let instance = try reader.value().int ?? 0
        let arguments = try reader.value().list ?? []
        self = .call(TrialCall(named: function, instance, arguments, data: Array(try reader.data())))
    }
}
