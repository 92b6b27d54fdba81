internal import PluginABI

/// The routes of an instance as the host holds them: a table of its own, whose functions send each request on as plain data.
///
/// - Thread: main.
// Used on the control thread alone.
final class RouteStub: @unchecked Sendable {
    private let table = UnsafeMutablePointer<mh_routes_plugin_1>.allocate(capacity: 1)
    private let rows: UnsafeMutablePointer<mh_route_1>
    private var texts: [UnsafeMutablePointer<CChar>] = []

    /// - Parameter routes: what `GuardedPlugin.routes` made of them.
    init(_ routes: [Value]) {
        rows = .allocate(capacity: max(1, routes.count))
        for (index, route) in routes.enumerated() {
            let words = (route.list ?? []).map { keep($0.string) } + [nil, nil, nil]
            (rows + index).initialize(to: mh_route_1(method: words[0], path: words[1], summary: words[2]))
        }
        table.initialize(
            to: mh_routes_plugin_1(
                routes: UnsafePointer(rows), count: routes.count,
                request: { plugin, token, request in
                    guard let request = request?.pointee else { return }
                    let body = UnsafeRawBufferPointer(
                        start: request.body, count: request.body == nil ? 0 : request.body_size)
                    PluginStub.send(
                        plugin, .request,
                        [
                            .int(Int64(bitPattern: token)), .int(Int64(clamping: request.route)),
                            ValueNode.from(request.parameters)?.value ?? .map([]),
                            ValueNode.from(request.query)?.value ?? .map([]), .string(String(request.content_type)),
                        ], data: Array(body))
                },
                cancel: { PluginStub.send($0, .cancelRequest, [.int(Int64(bitPattern: $1))]) }))
    }

    deinit {
        table.deallocate()
        rows.deallocate()
        for text in texts { text.deallocate() }
    }

    var pointer: UnsafeRawPointer { UnsafeRawPointer(table) }

    private func keep(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        let copy = PluginStub.copy(text)
        texts.append(copy)
        return UnsafePointer(copy)
    }
}
