internal import Glibc
internal import PluginABI

extension HostPlace {
    /// A notification as `GuardTables` sends it, made a C struct again.
    func showNotification(_ notification: Value) -> [Value] {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        defer { for text in texts { free(text) } }
        func word(_ value: Value?) -> UnsafePointer<CChar>? {
            guard let text = value?.string else { return nil }
            texts.append(strdup(text))
            return texts.last.flatMap { $0 }.map { UnsafePointer($0) }
        }
        let parts = notification.list ?? []
        func part(_ index: Int) -> Value? { parts.indices.contains(index) ? parts[index] : nil }
        let actions = (part(9)?.list ?? []).map { action in
            mh_notification_action_1(id: word(action.list?.first), label: word(action.list?.last))
        }
        return actions.withUnsafeBufferPointer { actions in
            var raw = mh_notification_1(
                summary: word(part(0)), body: word(part(1)), icon: word(part(2)), category: word(part(3)),
                sound: word(part(4)), key: word(part(5)), actions: actions.baseAddress,
                urgency: Int32(truncatingIfNeeded: part(6)?.int ?? 0),
                expire_ms: Int32(truncatingIfNeeded: part(7)?.int ?? 0),
                flags: UInt32(truncatingIfNeeded: part(8)?.int ?? 0),
                action_count: UInt32(truncatingIfNeeded: part(10)?.int ?? 0))
            var token: mh_token = 0
            let status = HostInterface.notify.pointee.show?(table, &raw, &token) ?? -1
            return [.int(Int64(status)), .int(Int64(bitPattern: token))]
        }
    }
}
