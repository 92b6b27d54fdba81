/// A type that a `Field` can have.
///
/// The kit has `Bool`, integers, `Double`, `String`, `Duration`, `ByteSize`, names of things in the config (`PadName`,
/// `ElementName`, `PipelineName`, `InstanceName`, `PathName`, `DeviceName`, `ResourceAddress`), `Secret`, every `PluginRecord`, and lists and optionals of
/// all these. A choice is an enum that says so: `enum Mode: String, CaseIterable, FieldValue { case fast, exact }`. For a
/// text of a form of its own see `TextFieldValue`.
public protocol FieldValue: Sendable {
    /// What limits of this type are made of; `Never` where it has none.
    associatedtype Bound: FieldValue & Comparable = Never

    static func fieldSchema(within limits: Limits<Bound>?) -> FieldSchema

    /// What stands for a key that was left out and has no default; `nil` where that is an error.
    static var valueIfAbsent: Self? { get }

    static func read(_ value: PluginValue) throws(FieldMismatch) -> Self

    /// As it crosses to the host: durations in nanoseconds, sizes in bytes.
    var pluginValue: PluginValue { get }

    /// As a user would write it: durations and sizes have their unit.
    var literal: PluginValue { get }

    /// What limits apply to: the value itself, or each of a list.
    var limitedValues: [Bound] { get }
}

extension FieldValue {
    public static var valueIfAbsent: Self? { nil }
    public var literal: PluginValue { pluginValue }
    public var limitedValues: [Bound] { [] }
}

/// No limits.
extension Never: FieldValue {
    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Never {
        throw FieldMismatch("cannot be given")
    }

    public var pluginValue: PluginValue { switch self {} }
}
