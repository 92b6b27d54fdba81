/// Why a request to the host was not carried out; travels as a problem document (RFC 9457), whose `status` is left to HTTP.
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
        /// Over the network: who it is was not shown, or wrongly.
        public static let unauthorized = Code("unauthorized", status: 401)
        public static let notFound = Code("not-found", status: 404)
        public static let wrongMethod = Code("wrong-method", status: 405)
        /// The client took too long to say what it wants.
        public static let tooSlow = Code("too-slow", status: 408)
        /// Not in the host's present state.
        public static let state = Code("state", status: 409)
        /// A plugin has as many of it as it takes.
        public static let limit = Code("limit", status: 409)
        /// The request is understood, and nobody here can do that.
        public static let unsupported = Code("unsupported", status: 422)
        /// The configuration has errors, or what it describes did not start.
        public static let configuration = Code("configuration", status: 422)
        public static let lengthRequired = Code("length-required", status: 411)
        public static let tooLarge = Code("too-large", status: 413)
        /// The range of a body begins behind its end.
        public static let beyondEnd = Code("beyond-end", status: 416)
        public static let tooMany = Code("too-many", status: 429)
        public static let headTooLarge = Code("head-too-large", status: 431)
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
    /// The `detail` of the document.
    public var message: String
    /// The member of the body, the query or the path that is wrong, where it is one.
    public var field: String?
    /// The whole answer, where a host's has more to say than the error: a reload's report.
    public private(set) var answer: Value?

    /// The same code in the same words, whoever tells it.
    public static func == (left: ControlError, right: ControlError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    public init(_ code: Code, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
}

extension ControlError.Code {
    /// What all errors of the kind have in common.
    var title: String {
        switch self {
        case .invalid: "The request is wrong"
        case .denied: "Not allowed"
        case .unauthorized: "The token is missing or wrong"
        case .notFound: "There is no such thing"
        case .wrongMethod: "The path takes other methods"
        case .state: "Not in the present state"
        case .limit: "There are as many as there may be"
        case .unsupported: "It cannot be done here"
        case .configuration: "The configuration has errors"
        case .tooSlow: "The request came too slowly"
        case .lengthRequired: "The length of the body is missing"
        case .tooLarge: "The request is too large"
        case .beyondEnd: "The range is not there"
        case .tooMany: "Too many requests"
        case .headTooLarge: "The header is too large"
        case .cancelled: "It was cancelled"
        case .busy: "Not now"
        case .unreachable: "Nobody answers"
        case .timeout: "It took too long"
        default: "It did not succeed"
        }
    }
}

extension ControlError: CustomStringConvertible {
    public var description: String { message }
}

extension ControlError {
    /// The error as the body of a response.
    public var body: Value {
        if let answer { return answer }
        var members: [Value.Member] = [
            .init("type", .string("urn:mediahost:error:\(code.name)")), .init("title", .string(code.title)),
            .init("detail", .string(message)), .init("code", .string(code.name)),
        ]
        if let field { members.append(.init("field", .string(field))) }
        return .map(members)
    }

    /// The error in the body of a response that came with `status`, or nil where the body holds none.
    init?(body: Value, status: Int) {
        guard let name = body["code"]?.string, let message = body["detail"]?.string else { return nil }
        self.init(Code(name, status: status), message, field: body["field"]?.string)
        answer = body
    }
}
