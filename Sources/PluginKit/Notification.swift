import PluginABI

/// Something to show on a desktop: plain text, with buttons where the service has them.
///
/// ```swift
/// var done = Notification("Wash complete", body: "Time for the dryer.", key: "timer-\(pet)")
/// done.sound = "complete"
/// done.actions = [.init("dry", "Start the dryer"), .init("later", "In 10 minutes")]
/// ```
/// A plugin that imports Foundation, too, calls it `PluginKit.Notification`.
public struct Notification: Hashable, Sendable {
    public enum Urgency: Hashable, Sendable, CaseIterable {
        case low, normal
        /// Most services keep it until the user dismisses it.
        case critical
    }

    public enum Expiry: Hashable, Sendable {
        /// As the service likes.
        case byDefault
        /// Stays until somebody closes it; when another service takes over it is shown again.
        case never
        /// In whole milliseconds. While no service is there it counts from `notify` on, in suspend, too.
        case after(Duration)
    }

    /// Something the user can choose.
    public struct Action: Hashable, Sendable {
        /// A click on the notification itself.
        public static let defaultID = "default"

        public var id: String
        /// What the button says.
        public var label: String

        public init(_ id: String, _ label: String) {
            self.id = id
            self.label = label
        }
    }

    /// One line, at most 1024 bytes.
    public var summary: String
    /// Shown as it is, no markup; at most 8192 bytes.
    public var body: String?
    /// It takes the place of the open one that this instance showed with the same key.
    public var key: String?
    /// A name of the icon naming specification, or a `file://` URI.
    public var icon: String?
    /// `transfer.complete`, `device.error`, ... as in the Desktop Notifications Specification.
    public var category: String?
    /// A name of the sound naming specification: `complete`, `alarm-clock-elapsed`, ...
    public var sound: String?
    public var urgency = Urgency.normal
    public var expiry = Expiry.byDefault
    /// At most 8. Left out where the service shows none.
    public var actions: [Action] = []
    /// Stays when an action was chosen.
    public var isResident = false
    /// Is kept in no list of past ones.
    public var isTransient = false
    /// Withdrawn when the instance ends; otherwise it stays, and nobody hears of its actions.
    public var endsWithInstance = false

    public init(_ summary: String, body: String? = nil, key: String? = nil) {
        self.summary = summary
        self.body = body
        self.key = key
    }
}

extension Notification.Urgency {
    var abi: mh_urgency {
        switch self {
        case .low: mh_urgency(truncatingIfNeeded: MH_URGENCY_LOW)
        case .normal: mh_urgency(truncatingIfNeeded: MH_URGENCY_NORMAL)
        case .critical: mh_urgency(truncatingIfNeeded: MH_URGENCY_CRITICAL)
        }
    }
}

extension Notification.Expiry {
    var milliseconds: Int32 {
        switch self {
        case .byDefault: Int32(truncatingIfNeeded: MH_NOTIFICATION_EXPIRES_BY_DEFAULT)
        case .never: Int32(truncatingIfNeeded: MH_NOTIFICATION_NEVER_EXPIRES)
        // Less than one is no reason to let the service choose.
        case .after(let time): Int32(clamping: max(1, time.wholeNanoseconds / 1_000_000))
        }
    }
}
