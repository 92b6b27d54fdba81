/// One request to the host, after its path, query and body were read and found well-formed.
public struct ControlRequest: Sendable, Equatable {
    public var method: Route.Method
    /// What stood in the place of each `{name}` of the route's path, decoded.
    public var parameters: [String: String]
    /// The decoded query; a key given twice never gets here.
    public var query: [String: String]
    /// The same, typed and with its defaults, as the route declares it; null where a plugin answers.
    public var options: Value
    /// The JSON body, or nil where the request had none; typed and with its defaults, as the route declares it.
    public var body: Value?
    /// The body of a route that a plugin answers.
    public var content: ControlResponse.Payload?
    /// What a client of a stream has seen already, as its `Last-Event-ID` header says.
    public var lastEventID: String?
    /// The `rule.fired` that a program of a rule names, by the unix socket alone.
    public var cause: String?
    var origin = RequestOrigin.local

    public init(
        method: Route.Method, parameters: [String: String] = [:], query: [String: String] = [:],
        options: Value = .null, body: Value? = nil, content: ControlResponse.Payload? = nil,
        lastEventID: String? = nil
    ) {
        self.method = method
        self.parameters = parameters
        self.query = query
        self.options = options
        self.body = body
        self.content = content
        self.lastEventID = lastEventID
    }
}
