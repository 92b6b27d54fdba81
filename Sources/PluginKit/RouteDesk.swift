import PluginABI

/// The routes of one instance, and who asked for them.
///
/// Thread: main, all of it.
final class RouteDesk: Sendable {
    private let host: Host
    private let routes: [Route]
    private let open = OpenReplies()

    init(host: Host, routes: [Route]) {
        self.host = host
        self.routes = routes
    }

    func serve(_ index: Int, token: mh_token, _ request: RouteRequest) {
        guard routes.indices.contains(index) else {
            host.rejectRequest(token, PluginError("there is no route \(index) here", code: .notFound))
            return
        }
        let route = routes[index]
        let reply = PendingReply(
            host: host, open: open, token: token, kind: .request, name: "\(route.method.rawValue) \(route.path)")
        open.add(reply)
        route.run(request, RouteReply(reply))
    }

    func cancel(_ token: mh_token) { open.find(token)?.cancel() }
}
