/// A property of an element, as its class describes it.
public struct ElementProperty: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case boolean
        case signed(ClosedRange<Int64>)
        case unsigned(ClosedRange<UInt64>)
        case real(ClosedRange<Double>)
        case text
        /// One of these nicks.
        case choice([String])
        /// Any of these nicks, joined by `+`.
        case flags([String])
        case fraction
        case caps
        /// Another element, given as launch text.
        case element
        /// Anything else, by its type's name.
        case other(String)
    }

    public var name: String
    public var kind: Kind
    public var isReadable: Bool
    public var isWritable: Bool
    /// Whether it takes a value only while the element is made.
    public var isConstructOnly: Bool

    public init(
        name: String, kind: Kind, isReadable: Bool = true, isWritable: Bool = true, isConstructOnly: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.isConstructOnly = isConstructOnly
    }
}
