import PluginKit

/// What a pet is timed for.
enum TimerKind: String, Sendable, CaseIterable, FieldValue {
    case cycle, wash, dry

    /// For people.
    var title: String {
        switch self {
        case .cycle: "Cycle"
        case .wash: "Washing"
        case .dry: "Drying"
        }
    }

    /// First line of the notification when it is over.
    var finishedTitle: String {
        switch self {
        case .cycle: "Laundry Time!"
        case .wash: "Wash Complete!"
        case .dry: "Dry Complete!"
        }
    }

    var finishedBody: String {
        switch self {
        case .cycle: "Your pet needs attention!"
        case .wash: "Time to move your laundry to the dryer!"
        case .dry: "Time to fold your laundry!"
        }
    }

    /// In the store.
    var code: Int64 {
        switch self {
        case .cycle: 0
        case .wash: 1
        case .dry: 2
        }
    }

    init?(code: Int64) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}
