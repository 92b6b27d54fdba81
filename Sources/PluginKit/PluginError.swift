import PluginABI

/// Why something did not work: a code for the caller, a text for the person.
///
/// The text says what was attempted, on what, what went wrong and what to do; it goes to the host's log or to whoever
/// called the command.
public struct PluginError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A negative status of the ABI. Values without a name here are legal and mean failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        private init(_ constant: Int) { rawValue = Int32(truncatingIfNeeded: constant) }

        public static let failed = Code(MH_E_FAILED)
        public static let invalid = Code(MH_E_INVALID)
        public static let state = Code(MH_E_STATE)
        public static let notFound = Code(MH_E_NOT_FOUND)
        public static let unsupported = Code(MH_E_UNSUPPORTED)
        public static let busy = Code(MH_E_BUSY)
        public static let cancelled = Code(MH_E_CANCELLED)
        public static let timeout = Code(MH_E_TIMEOUT)
        public static let limit = Code(MH_E_LIMIT)

        /// What crosses the ABI: never success, whatever the code was made from.
        var status: mh_status { rawValue < 0 ? rawValue : mh_status(truncatingIfNeeded: MH_E_FAILED) }
    }

    public let code: Code
    public let message: String
    /// The key of the config, or the parameter of the command, that it is about: `window`, `inner.gain`, `list[2]`.
    public let key: String?

    public init(_ message: String, code: Code = .failed, key: String? = nil) {
        self.code = code
        self.message = message
        self.key = key
    }

    public var description: String { message }

    var status: mh_status { code.status }
}

/// The one success of the ABI, in its own type.
let statusOK = mh_status(truncatingIfNeeded: MH_OK)
