package import GStreamerKit
package import PluginABI

/// A notification as a plugin asks for it, checked.
package struct NotificationRequest: Sendable, Equatable {
    /// The numbers are those of the ABI.
    package enum Urgency: Int32, Sendable {
        case low = -1
        case normal = 0
        case critical = 1
    }

    package enum Expiry: Sendable, Equatable {
        /// As the service likes.
        case byDefault
        /// Only when somebody closes it.
        case never
        case after(ClockTime)
    }

    package struct Action: Sendable, Equatable {
        package var id: String
        package var label: String

        package init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    /// Why something is no notification; a clause: "its summary is empty".
    package struct Refusal: Error {
        package var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    package var summary: String
    package var body: String?
    /// A name of a theme's icon, or a `file://` URI.
    package var icon: String?
    package var category: String?
    /// A name of a theme's sound.
    package var sound: String?
    /// What it takes the place of, within its instance.
    package var key: String?
    package var actions: [Action] = []
    package var urgency = Urgency.normal
    package var expiry = Expiry.byDefault
    package var isResident = false
    package var isTransient = false
    package var endsWithInstance = false

    package init(_ summary: String) { self.summary = summary }
}

extension NotificationRequest {
    static let mostActions = 8
    private static let knownFlags =
        UInt32(MH_NOTIFICATION_RESIDENT) | UInt32(MH_NOTIFICATION_TRANSIENT)
        | UInt32(MH_NOTIFICATION_ENDS_WITH_INSTANCE)

    /// A copy of what a plugin passed.
    package init(copying raw: mh_notification_1) throws(Refusal) {
        guard let summary = try Self.text("summary", raw.summary, 1024), !summary.isEmpty else {
            throw Refusal("its summary is empty")
        }
        self.init(summary)
        body = try Self.text("body", raw.body, 8192)
        icon = try Self.text("icon", raw.icon, 256)
        category = try Self.text("category", raw.category, 256)
        sound = try Self.text("sound", raw.sound, 256)
        key = try Self.text("key", raw.key, 256)
        guard let urgency = Urgency(rawValue: raw.urgency) else { throw Refusal("there is no urgency \(raw.urgency)") }
        self.urgency = urgency
        expiry = try Self.expiry(raw.expire_ms)
        guard raw.flags & ~Self.knownFlags == 0 else { throw Refusal("it has flags that do not exist: \(raw.flags)") }
        isResident = raw.flags & UInt32(MH_NOTIFICATION_RESIDENT) != 0
        isTransient = raw.flags & UInt32(MH_NOTIFICATION_TRANSIENT) != 0
        endsWithInstance = raw.flags & UInt32(MH_NOTIFICATION_ENDS_WITH_INSTANCE) != 0
        guard raw.action_count <= UInt32(Self.mostActions) else {
            throw Refusal("it has more than \(Self.mostActions) actions")
        }
        for index in 0..<Int(raw.action_count) { try add(raw.actions?[index]) }
    }

    private mutating func add(_ raw: mh_notification_action_1?) throws(Refusal) {
        guard let id = try Self.text("action's id", raw?.id, 64), !id.isEmpty,
            let label = try Self.text("action's label", raw?.label, 256)
        else { throw Refusal("an action lacks its id or label") }
        guard !actions.contains(where: { $0.id == id }) else { throw Refusal("action \"\(id)\" is given twice") }
        actions.append(Action(id: id, label: label))
    }

    private static func expiry(_ milliseconds: Int32) throws(Refusal) -> Expiry {
        switch Int(milliseconds) {
        case MH_NOTIFICATION_EXPIRES_BY_DEFAULT: return .byDefault
        case MH_NOTIFICATION_NEVER_EXPIRES: return .never
        case ..<0: throw Refusal("it cannot expire after \(milliseconds) ms")
        default: return .after(.milliseconds(Int64(milliseconds)))
        }
    }

    private static func text(
        _ what: String, _ pointer: UnsafePointer<CChar>?, _ most: Int
    ) throws(Refusal) -> String? {
        guard let pointer else { return nil }
        let text = String(cString: pointer)
        guard text.utf8.count <= most else { throw Refusal("its \(what) is longer than \(most) bytes") }
        return text
    }
}
