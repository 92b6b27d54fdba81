/// Requests for the routes of a plugin.
extension TrialSettings {
    /// Whatever a browser could send.
    func request(_ route: PluginRoute) -> (path: String, ControlRequest) {
        (Self.path(route) { "x" }, ControlRequest(method: route.method))
    }

    /// What a client could send that means no good; the host lets through what the header says.
    func request(_ route: PluginRoute, _ random: inout TrialRandom) -> (path: String, ControlRequest) {
        let segments = ["x", "%00", "%2e%2e", "%C3%BC", "%F0%9F%8E%A5", "0", "-1", String(repeating: "a", count: 2000)]
        let path = Self.path(route) { segments.randomElement(using: &random) ?? "x" }
        var request = ControlRequest(method: route.method)
        if Bool.random(using: &random) { request.query = ["last": "5s", "": "", "ü": "\u{202e}%s%n"] }
        if route.method != .get, Bool.random(using: &random) {
            let count = [0, 1, 100, 1 << 20].randomElement(using: &random) ?? 0
            request.content = .init(
                contentType: ["", "application/json", "image/jpeg; q=%n"].randomElement(using: &random) ?? "",
                bytes: [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count))
        }
        return (path, request)
    }

    private static func path(_ route: PluginRoute, _ segment: () -> String) -> String {
        route.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") && $0.hasSuffix("}") ? segment() : String($0) }.joined(separator: "/")
    }
}
