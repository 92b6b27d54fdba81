/// The client's side of `SettingRoutes`.
extension ControlClient {
    /// Other values for some keys of a plugin's config; texts are as good as what the schema says.
    public func configure(
        plugin: String, _ changes: Value, saving: Bool, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        guard plugin != ".", plugin != "..", !plugin.isEmpty else {
            throw ControlError(.invalid, "`\(plugin)` names no plugin")
        }
        return try request(
            .patch, Self.path("v1", "plugins", plugin, "config") + (saving ? "?save=true" : ""), body: changes,
            timeout: timeout)
    }

    public func overrides(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/config/overrides", timeout: timeout)
    }

    /// - Parameter key: nil: all.
    public func resetOverrides(_ key: String?, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        let query = key.map { "?key=\(Self.path($0).dropFirst())" } ?? ""
        return try request(.delete, "/v1/config/overrides" + query, timeout: timeout)
    }
}
