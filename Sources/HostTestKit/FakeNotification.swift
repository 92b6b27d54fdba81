public import PluginABI

/// Who shows notifications in a test.
public enum FakeNotificationService: Sendable {
    /// Shows all at once, with actions and markup.
    case there
    /// There is a bus and nobody on it: what is to be shown waits.
    case away
    /// Nothing is shown, and nothing waits.
    case missing
}

/// A notification as a plugin asked for it, on a screen that only a test sees.
public struct FakeNotification: Sendable, Equatable {
    public struct Action: Sendable, Equatable {
        public var id: String
        public var label: String
    }

    public var token: mh_token
    public var summary: String
    public var body: String?
    public var key: String?
    public var icon: String?
    public var category: String?
    public var sound: String?
    public var actions: [Action]
    /// -1 low, 0 normal, 1 critical.
    public var urgency: mh_urgency
    /// `nil` as the service likes, -1 never.
    public var expireMilliseconds: Int64?
    public var isResident: Bool
    public var isTransient: Bool
    public var endsWithInstance: Bool
    /// On the screen; otherwise it waits for a service.
    public var isShown: Bool
}
