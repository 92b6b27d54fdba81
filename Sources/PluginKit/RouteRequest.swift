import PluginABI

/// What somebody asks of a route; a copy.
public struct RouteRequest: Sendable, Equatable {
    /// What stands in the place of each `{name}`: one segment, never empty, never `.` or `..`, without slash and NUL.
    public let parameters: [String: String]
    public let query: [String: String]
    /// Of the body, as the client sent it; empty where it sent none.
    public let contentType: String
    public let body: [UInt8]

    init(copying request: mh_request_1, with values: UnsafePointer<mh_value_ext_1>) {
        parameters = Self.texts(request.parameters, values)
        query = Self.texts(request.query, values)
        contentType = String(request.content_type)
        body = Array(UnsafeRawBufferPointer(start: request.body, count: request.body == nil ? 0 : request.body_size))
    }

    private static func texts(_ value: OpaquePointer?, _ values: UnsafePointer<mh_value_ext_1>) -> [String: String] {
        guard case .map(let members) = PluginValue(copying: value, with: values) else { return [:] }
        var texts: [String: String] = [:]
        for member in members {
            if case .string(let text) = member.value { texts[member.key] = text }
        }
        return texts
    }
}
