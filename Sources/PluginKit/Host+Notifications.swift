import PluginABI

extension HostExtension {
    public static let notify = HostExtension(rawValue: MH_EXT_NOTIFY)
}

extension Host {
    /// Shows a notification on the desktop, or has it wait until somebody is there who can show it.
    ///
    /// ```swift
    /// try host.notify(done) { [weak self] response in
    ///     if response == .action("dry") { self?.startDryer() }
    /// }
    /// ```
    /// - Parameter response: called on main when the user chooses an action and when it is closed; never inside of this call,
    ///   nor once `deactivate` has begun. It is let go after the end of the notification.
    /// - Returns: what withdraws it. `isWaiting` says that no service is there now.
    /// - Throws: `unsupported` where the board has no bus, or notifications are turned off: go on without; `limit` for too
    ///   many; `invalid` with the reason in the log; `state` outside of `activate` and active.
    /// - Thread: main.
    @discardableResult
    public func notify(
        _ notification: Notification, _ response: @escaping @Sendable (NotificationResponse) -> Void = { _ in }
    ) throws(PluginError) -> NotificationHandle {
        let host = try open("show a notification")
        guard let table = tables.notify else { throw missing(.notify) }
        let strings = CStrings()
        let rows = notification.actions.map {
            mh_notification_action_1(id: strings.add($0.id), label: strings.add($0.label))
        }
        var token: mh_token = 0
        let status = rows.withUnsafeBufferPointer { rows in
            var request = mh_notification_1(
                summary: strings.add(notification.summary), body: strings.add(notification.body),
                icon: strings.add(notification.icon), category: strings.add(notification.category),
                sound: strings.add(notification.sound), key: strings.add(notification.key), actions: rows.baseAddress,
                urgency: notification.urgency.abi, expire_ms: notification.expiry.milliseconds,
                flags: notification.flags, action_count: UInt32(clamping: rows.count))
            return withExtendedLifetime(strings) { table.pointee.show?(host, &request, &token) }
        }
        let isWaiting = status == PluginError.Code.busy.rawValue && token != 0
        if !isWaiting {
            try check(
                status ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED),
                "the host did not take the notification \"\(notification.summary)\"")
        }
        notifications.add(token, response)
        return NotificationHandle(self, token, isWaiting: isWaiting)
    }

    func withdrawNotification(_ token: mh_token) {
        guard notifications.remove(token), let host = live else { return }
        _ = tables.notify?.pointee.withdraw?(host, token)
    }
}

extension Notification {
    fileprivate var flags: mh_notification_flags {
        var flags = 0
        if isResident { flags |= MH_NOTIFICATION_RESIDENT }
        if isTransient { flags |= MH_NOTIFICATION_TRANSIENT }
        if endsWithInstance { flags |= MH_NOTIFICATION_ENDS_WITH_INSTANCE }
        return mh_notification_flags(truncatingIfNeeded: flags)
    }
}
