/// What is sent to the notification service, with what it cannot do left out.
package struct NotificationMessage: Sendable, Equatable {
    /// What a service says it can do.
    package struct Abilities: Sendable, Equatable {
        package var hasActions: Bool
        package var hasBodyMarkup: Bool

        package init(_ names: [String]) {
            hasActions = names.contains("actions")
            hasBodyMarkup = names.contains("body-markup")
        }
    }

    /// Who shows it, for the user.
    package var application: String
    /// The service's number of what it replaces; 0: nothing.
    package var replaces: UInt32
    package var icon: String
    package var summary: String
    package var body: String
    package var actions: [NotificationRequest.Action]
    /// 0 low, 1 normal, 2 critical.
    package var urgency: UInt8
    package var category: String?
    package var sound: String?
    package var isResident: Bool
    package var isTransient: Bool
    /// -1: as the service likes; 0: never.
    package var expireMilliseconds: Int32

    /// - Parameter isHeard: whether somebody wants to know which action was chosen.
    init(
        _ request: NotificationRequest, from application: String, replacing: UInt32?, for abilities: Abilities,
        isHeard: Bool
    ) {
        self.application = application
        replaces = replacing ?? 0
        icon = request.icon ?? ""
        // The summary is plain text in every service.
        summary = request.summary
        let body = request.body ?? ""
        self.body = abilities.hasBodyMarkup ? Self.escaped(body) : body
        actions = abilities.hasActions && isHeard ? request.actions : []
        urgency = UInt8(request.urgency.rawValue + 1)
        category = request.category
        sound = request.sound
        isResident = request.isResident
        isTransient = request.isTransient
        expireMilliseconds =
            switch request.expiry {
            case .byDefault: -1
            case .never: 0
            case .after(let time): Int32(clamping: time.nanoseconds / 1_000_000)
            }
    }

    /// Text that a service which knows markup shows as it is.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
