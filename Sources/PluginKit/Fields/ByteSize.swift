/// A number of bytes: `256MiB` for the user. Sums that do not fit this machine are its largest number.
public struct ByteSize: Hashable, Comparable, Sendable {
    public var bytes: Int

    public init(bytes: Int) { self.bytes = bytes }

    public static func bytes(_ count: Int) -> ByteSize { ByteSize(bytes: count) }
    public static func kibibytes(_ count: Int) -> ByteSize { ByteSize(count, of: 1 << 10) }
    public static func mebibytes(_ count: Int) -> ByteSize { ByteSize(count, of: 1 << 20) }
    public static func gibibytes(_ count: Int) -> ByteSize { ByteSize(count, of: 1 << 30) }

    private init(_ count: Int, of unit: Int) {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        bytes = overflow ? (count < 0 ? .min : .max) : product
    }

    public static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }
}

extension ByteSize: CustomStringConvertible {
    /// The largest unit that comes out even.
    public var description: String {
        let units = [
            ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10),
            ("kB", 1000),
        ]
        let unit = units.first { bytes != 0 && bytes % $0.1 == 0 } ?? ("B", 1)
        return "\(bytes / unit.1)\(unit.0)"
    }
}

extension ByteSize: FieldValue {
    public typealias Bound = ByteSize

    public static func fieldSchema(within limits: Limits<ByteSize>?) -> FieldSchema { .size.limited(limits) }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> ByteSize {
        guard case .int(let number) = value else { throw FieldMismatch(expected: "a size", found: value) }
        return ByteSize(bytes: Int(clamping: number))
    }

    public var pluginValue: PluginValue { .count(bytes) }
    public var literal: PluginValue { .string(description) }
    public var limitedValues: [ByteSize] { [self] }
}
