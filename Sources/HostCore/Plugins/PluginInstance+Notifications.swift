internal import PluginABI

/// What an instance shows on a desktop.
extension PluginInstance {
    func showNotification(
        _ raw: UnsafePointer<mh_notification_1>, _ token: UnsafeMutablePointer<mh_token>
    ) -> mh_status {
        guard state == .active, let service = environment?.notifications else { return mh_status(MH_E_STATE) }
        let request: NotificationRequest
        do throws(NotificationRequest.Refusal) {
            request = try NotificationRequest(copying: raw.pointee)
        } catch {
            context.log.error("cannot show a notification: \(error.reason)")
            return mh_status(MH_E_INVALID)
        }
        guard request.actions.isEmpty || notifyTable?.pointee.on_action != nil else {
            context.log.error("cannot show a notification: it has actions, and the plugin no on_action")
            return mh_status(MH_E_UNSUPPORTED)
        }
        switch service.show(request, for: name, called: descriptor.name, { [weak self] in self?.tell($0, $1) }) {
        case .onItsWay(let taken):
            notifications.insert(taken)
            token.pointee = taken
            return mh_status(MH_OK)
        case .kept(let taken):
            notifications.insert(taken)
            token.pointee = taken
            return mh_status(MH_E_BUSY)
        case .unavailable: return mh_status(MH_E_UNSUPPORTED)
        case .tooMany:
            if PluginCounters.count(context.counters.refusedNotifications) {
                context.log.warning(
                    "shows too many notifications (\"\(request.summary)\"); those over the limit are not taken, "
                        + "said once, counted from here on")
            }
            return mh_status(MH_E_LIMIT)
        }
    }

    func withdrawNotification(_ token: mh_token) -> mh_status {
        guard notifications.remove(token) != nil else { return mh_status(MH_E_NOT_FOUND) }
        environment?.notifications.withdraw(token)
        return mh_status(MH_OK)
    }

    /// No call follows. What is shown stays, unless it is to end with the instance.
    func endNotifications() {
        notifications = []
        environment?.notifications.end(name)
    }

    private func tell(_ token: UInt64, _ report: NotificationReport) {
        // Withdrawn, or the instance has ended, while this was on its way.
        guard state == .active, notifications.contains(token) else { return }
        switch report {
        case .chosen(let action):
            guard let onAction = notifyTable?.pointee.on_action else { return }
            calling("on_action") { action.withABI { onAction(plugin, token, $0) } }
        case .closed(let why):
            notifications.remove(token)
            guard let onClosed = notifyTable?.pointee.on_closed else { return }
            calling("on_closed") { onClosed(plugin, token, why.rawValue) }
        }
    }
}
