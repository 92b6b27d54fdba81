internal import PluginABI

/// A route an instance serves, copied out of its table.
struct PluginRoute: RoutePattern, Equatable {
    /// How many one instance may have.
    static let most = 256

    var method: Route.Method
    /// Below the instance's own place.
    var path: String
    var summary: String
    /// The row of the plugin's table.
    var index: Int

    init(_ raw: mh_route_1, index: Int, of instance: String) throws(PluginFailure) {
        guard let method = raw.method, let path = raw.path, let summary = raw.summary else {
            throw PluginFailure("plugin \(instance): route \(index) lacks its method, path or summary")
        }
        self.index = index
        self.path = String(cString: path)
        self.summary = String(cString: summary)
        guard let known = Route.Method(rawValue: String(cString: method)) else {
            let methods = Route.Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw PluginFailure(
                "plugin \(instance): route \(self.path) has the method \"\(String(cString: method))\"",
                help: "there are \(methods)")
        }
        self.method = known
        guard self.path.hasPrefix("/"), !self.path.split(separator: "/").contains(where: { $0.hasSuffix("...}") })
        else {
            throw PluginFailure(
                "plugin \(instance): \"\(self.path)\" is no path of a route",
                help: "it begins with \"/\", and a segment {name} stands for any one segment")
        }
    }
}
