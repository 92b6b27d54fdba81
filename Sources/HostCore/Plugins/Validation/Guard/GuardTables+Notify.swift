internal import PluginABI

/// mh.notify.draft/1.
extension GuardTables {
    private static let refused = mh_status(MH_E_STATE)

    // Immortal, constant once made.
    static nonisolated(unsafe) let notify = immortal(
        mh_notify_host_1(
            show: { host, notification, token in
                token?.pointee = 0
                guard let plugin = GuardedPlugin.calling(.showNotification, host) else { return refused }
                guard let notification = notification?.pointee, let token else { return mh_status(MH_E_INVALID) }
                let answer = plugin.ask(.showNotification, value(notification))
                if answer.count > 1 { token.pointee = UInt64(bitPattern: answer[1].int ?? 0) }
                return answer.status
            },
            withdraw: { host, token in
                guard let plugin = GuardedPlugin.calling(.withdrawNotification, host) else { return refused }
                return plugin.ask(.withdrawNotification, .int(Int64(bitPattern: token))).status
            }))

    /// All of it as the plugin gave it: what is wrong with it the host says.
    private static func value(_ raw: mh_notification_1) -> Value {
        func word(_ start: UnsafePointer<CChar>?) -> Value {
            guard let start else { return .null }
            var length = 0
            while start[length] != 0 { length += 1 }
            return .string(text(mh_str_1(ptr: start, len: length), "notify.show"))
        }
        // The host reads none where there are too many.
        let count = raw.action_count > UInt32(NotificationRequest.mostActions) ? 0 : Int(raw.action_count)
        let actions = (0..<count).map { index -> Value in
            guard let action = raw.actions?[index] else { return [.null, .null] }
            return [word(action.id), word(action.label)]
        }
        return [
            word(raw.summary), word(raw.body), word(raw.icon), word(raw.category), word(raw.sound), word(raw.key),
            .int(Int64(raw.urgency)), .int(Int64(raw.expire_ms)), .int(Int64(raw.flags)), .list(actions),
            .int(Int64(raw.action_count)),
        ]
    }
}
