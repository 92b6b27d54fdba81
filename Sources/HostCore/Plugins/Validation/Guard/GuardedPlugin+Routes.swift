internal import PluginABI

/// What the host asks of `mh_routes_plugin_1`.
extension GuardedPlugin {
    /// Token, row, parameters, query and content type, and the body as data.
    func request(_ plugin: UnsafePointer<mh_plugin_1>, _ call: TrialCall) {
        let token = UInt64(bitPattern: call[0].int ?? 0)
        let row = Int(clamping: call[1].int ?? 0)
        let type = call[4].string ?? ""
        let name = routeNames.indices.contains(row) ? routeNames[row] : "\(row)"
        state.withLock { $0.open[token] = "request \(name)" }
        let size = LentMemory.size(call[2]) + LentMemory.size(call[3]) + LentMemory.size(type) + call.data.count + 256
        LentMemory.during("the request of routes.request", size: size) { memory in
            let view = memory.put(
                mh_request_1(
                    route: row, parameters: memory.put(call[2]), query: memory.put(call[3]),
                    content_type: memory.put(type),
                    body: call.data.isEmpty ? nil : memory.put(call.data).map { UnsafeRawPointer($0) },
                    body_size: call.data.count))
            during(.request) { routeTable?.pointee.request?(plugin, token, view) }
        }
    }

    /// Method, path and summary of each row, as they stand there: what is wrong with them the host says.
    func routes(_ table: mh_routes_plugin_1) -> Value {
        let rows = UnsafeBufferPointer(start: table.routes, count: table.routes == nil ? 0 : min(table.count, 1024))
        func text(_ pointer: UnsafePointer<CChar>?) -> Value { pointer.map { .string(String(cString: $0)) } ?? .null }
        let list = rows.map { [text($0.method), text($0.path), text($0.summary)] as [Value] }
        routeNames = list.map { "\($0[0].string ?? "") \($0[1].string ?? "")" }
        return .list(list.map { .list($0) })
    }
}
