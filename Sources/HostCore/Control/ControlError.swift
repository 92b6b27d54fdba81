/// Why a request to the host was not carried out; travels as `{"error":{"code":"...","message":"..."}}`.
///
/// Callers branch on `code`, people read `message`: what was attempted, on what, what went wrong, what to do.
public struct ControlError: Error, Sendable, Equatable {
    /// A kind of failure: its name on the wire and the HTTP status that goes with it. The name decides equality.
    public struct Code: Sendable, Hashable {
        public let name: String
        public let status: Int

        public init(_ name: String, status: Int) {
            self.name = name
            self.status = status
        }

        /// The request itself is wrong; sending it again will not help.
        public static let invalid = Code("invalid", status: 400)
        /// The operating system or the host forbids it to this user.
        public static let denied = Code("denied", status: 403)
        public static let notFound = Code("not-found", status: 404)
        public static let wrongMethod = Code("wrong-method", status: 405)
        /// Not in the host's present state.
        public static let state = Code("state", status: 409)
        /// The configuration has errors, or what it describes did not start.
        public static let configuration = Code("configuration", status: 422)
        public static let tooLarge = Code("too-large", status: 413)
        /// It was started and did not succeed.
        public static let failed = Code("failed", status: 500)
        public static let cancelled = Code("cancelled", status: 500)
        /// Not now: sending it again later may help.
        public static let busy = Code("busy", status: 503)
        /// Nobody answers at the socket.
        public static let unreachable = Code("unreachable", status: 503)
        public static let timeout = Code("timeout", status: 504)

        public static func == (left: Code, right: Code) -> Bool { left.name == right.name }
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    public var code: Code
    public var message: String
    /// The whole answer, where a host's has more to say than the error: a reload's report.
    public private(set) var answer: Value?

    /// The same code in the same words, whoever tells it.
    public static func == (left: ControlError, right: ControlError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ControlError: CustomStringConvertible {
    public var description: String { message }
}

extension ControlError {
    /// The error as the body of a response.
    public var body: Value { answer ?? ["error": ["code": .string(code.name), "message": .string(message)]] }

    /// The error in the body of a response that came with `status`, or nil where the body holds none.
    init?(body: Value, status: Int) {
        guard let error = body["error"], let name = error["code"]?.string, let message = error["message"]?.string else {
            return nil
        }
        self.init(Code(name, status: status), message)
        answer = body
    }
}
