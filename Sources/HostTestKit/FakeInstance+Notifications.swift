internal import HostCore
public import PluginABI

/// What a user does with the notifications of a plugin.
///
/// ```swift
/// let done = try washer.notification("Wash complete")
/// try washer.press("dry", on: done)                       // told to the plugin before this returns
/// #expect(washer.fake.notifications.isEmpty)
/// ```
extension FakeInstance {
    /// The newest one with this summary.
    public func notification(_ summary: String) throws(Broken) -> FakeNotification {
        let open = fake.notifications
        guard let found = open.last(where: { $0.summary == summary }) else {
            let others = open.map { "\"\($0.summary)\"" }.joined(separator: ", ")
            throw Broken(
                description: "the plugin shows \(others.isEmpty ? "nothing" : others), not \"\(summary)\"")
        }
        return found
    }

    /// Chooses an action; the notification is closed by that, unless it is resident.
    public func press(_ action: String, on notification: FakeNotification) throws(Broken) {
        guard notification.actions.contains(where: { $0.id == action }) else {
            throw Broken(description: "\"\(notification.summary)\" has no action \(action)")
        }
        guard fake.notifying.press(action, on: notification.token, at: fake.time(.boottime)) else {
            throw Broken(description: "\"\(notification.summary)\" is not on the screen")
        }
        settle()
    }

    /// Closes it as the user does, or as the service says.
    /// - Parameter why: up to `MH_NOTIFICATION_GONE`.
    public func close(
        _ notification: FakeNotification,
        _ why: mh_notification_end = mh_notification_end(truncatingIfNeeded: MH_NOTIFICATION_DISMISSED)
    ) throws(Broken) {
        guard fake.notifying.close(notification.token, why, at: fake.time(.boottime)) else {
            throw Broken(description: "\"\(notification.summary)\" is not on the screen")
        }
        settle()
    }

    /// - Returns: whether there was anything to tell.
    @discardableResult
    func tellNotifications() -> Bool {
        let reports = fake.notifying.takeReports()
        guard let table = try? table(MH_EXT_NOTIFY, as: mh_notify_plugin_1.self).pointee else { return false }
        // One may be withdrawn by what another one brings about.
        for (token, report) in reports where fake.notifying.isToHear(token, report) {
            switch report {
            case .chosen(let action): fake.lend(action) { table.on_action?(plugin, token, $0) }
            case .closed(let why): table.on_closed?(plugin, token, why.rawValue)
            }
        }
        return !reports.isEmpty
    }
}
