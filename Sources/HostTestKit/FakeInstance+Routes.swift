internal import HostCore
internal import PluginABI

/// What the plugin serves, asked as a client would ask it.
extension FakeInstance {
    /// Asks a route and returns its answer.
    /// - Parameters:
    ///   - route: as the plugin declares it: `GET /clips/{id}`.
    ///   - parameters: for each `{name}` of it.
    /// - Throws: what the plugin says against it.
    public func ask(
        route: String, _ parameters: [String: String] = [:], query: [String: String] = [:], contentType: String = "",
        body: [UInt8] = []
    ) throws(Broken) -> FakeResponse {
        let token = try request(route: route, parameters, query: query, contentType: contentType, body: body)
        settle()
        let seen = fake.seen
        if let text = seen.rejections[token]?.first { throw Broken(description: text) }
        guard let response = seen.responses[token]?.first else {
            throw Broken(description: "\(route) has not answered yet")
        }
        return response
    }

    /// Asks a route; the answer comes to `fake.seen` under the token.
    public func request(
        route: String, _ parameters: [String: String] = [:], query: [String: String] = [:], contentType: String = "",
        body: [UInt8] = []
    ) throws(Broken) -> UInt64 {
        let table = try table(MH_EXT_ROUTES, as: mh_routes_plugin_1.self).pointee
        let rows = (0..<table.count).map { index in
            table.routes.map { "\(String(cString: $0[index].method)) \(String(cString: $0[index].path))" } ?? ""
        }
        guard let index = rows.firstIndex(of: route) else {
            throw Broken(description: "there is no route \(route), only \(rows.joined(separator: ", "))")
        }
        let token = fake.nextToken()
        fake.lend(Value(texts: parameters)) { parameters in
            fake.lend(Value(texts: query)) { query in
                fake.lend(contentType) { type in
                    body.withUnsafeBytes { bytes in
                        var request = mh_request_1(
                            route: index, parameters: parameters, query: query, content_type: type,
                            body: bytes.isEmpty ? nil : bytes.baseAddress, body_size: bytes.count)
                        table.request?(plugin, token, &request)
                    }
                }
            }
        }
        return token
    }

    /// The client of a request has gone.
    public func hangUp(_ token: UInt64) throws(Broken) {
        try table(MH_EXT_ROUTES, as: mh_routes_plugin_1.self).pointee.cancel?(plugin, token)
    }
}
