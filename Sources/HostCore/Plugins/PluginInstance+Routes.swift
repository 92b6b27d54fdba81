internal import PluginABI

/// What it serves over HTTP, below `/plugins/INSTANCE`.
extension PluginInstance {
    /// Takes the routes out of its table.
    func readRoutes() throws(PluginFailure) {
        guard let table = routeTable?.pointee, table.count > 0 else { return }
        guard let rows = table.routes, table.request != nil else {
            throw PluginFailure("plugin \(name) says that it has \(table.count) routes, without a table or `request`")
        }
        guard table.count <= PluginRoute.most else {
            throw PluginFailure("plugin \(name) has \(table.count) routes; \(PluginRoute.most) are allowed")
        }
        var read: [PluginRoute] = []
        for index in 0..<table.count { read.append(try PluginRoute(rows[index], index: index, of: name)) }
        routes = read
    }

    /// Asks the plugin, and waits for its answer. Cancelling the task tells it that the client has gone.
    /// - Parameter path: below the instance's place, as on the wire; begins with a slash.
    func serve(_ path: String, _ request: ControlRequest) async -> ControlResponse {
        switch router.find(method: request.method.rawValue, path: path) {
        case .route(let route, let parameters):
            guard parameters.values.allSatisfy(Self.isPlain) else {
                return refusal(.invalid, "`\(path)` has a segment that a file system could take for another place")
            }
            return await ask(route, parameters, request)
        case .wrongMethod(let allowed, _, _):
            let list = allowed.joined(separator: ", ")
            return ControlResponse(
                ControlError(.wrongMethod, "`\(path)` of plugin \(name) takes \(list), not \(request.method.rawValue)"),
                headers: ["Allow": list])
        case .unknown(let nearest):
            let hint = nearest.map { "did you mean `\($0.method.rawValue) /plugins/\(name)\($0.path)`? " } ?? ""
            return refusal(.notFound, "plugin \(name) serves no `\(path)`: \(hint)`GET /plugins` lists what there is")
        case .broken: return refusal(.invalid, "the path `\(path)` has a broken percent escape")
        }
    }

    /// What a path below the instance's place takes; nil where nothing is served there.
    func methods(_ path: String) -> [String]? {
        guard case .wrongMethod(let allowed, _, _) = router.find(method: "", path: path) else {
            return nil
        }
        return allowed
    }

    /// A name that stays within one directory, whatever a plugin does with it.
    private static func isPlain(_ parameter: String) -> Bool {
        parameter != "." && parameter != ".." && !parameter.utf8.contains(UInt8(ascii: "/"))
    }

    private func refusal(_ code: ControlError.Code, _ text: String) -> ControlResponse {
        ControlResponse(ControlError(code, text))
    }

    private func ask(
        _ route: PluginRoute, _ parameters: [String: String], _ request: ControlRequest
    ) async -> ControlResponse {
        guard state == .active, let handle = routeTable?.pointee.request else {
            return refusal(.state, "plugin \(name) is not running")
        }
        let answer = await wait(.request) { token in
            let path = ValueNode(Value(texts: parameters))
            let query = ValueNode(Value(texts: request.query))
            withExtendedLifetime((path, query)) {
                (request.content?.contentType ?? "").withABI { type in
                    (request.content?.bytes ?? []).withUnsafeBytes { body in
                        var view = mh_request_1(
                            route: route.index, parameters: path.handle, query: query.handle, content_type: type,
                            body: body.isEmpty ? nil : body.baseAddress, body_size: body.count)
                        calling("request") { handle(plugin, token, &view) }
                    }
                }
            }
        }
        switch answer {
        case .success(.response(let response)): return response
        case .success(.value(let value)): return ControlResponse(body: value)
        case .failure(let error): return ControlResponse(ControlError(error))
        }
    }
}
