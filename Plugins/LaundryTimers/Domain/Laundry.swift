import PluginKit

/// How a pet is. With `Stage` this is the graph of its life:
///
///       start cycle ┌─────────┐ due   ┌─────────────────┐ next: start wash
///      ────────────▶│ cycling ├──────▶│ needs-attention ├──────┐
///                   └─────────┘       └─────────────────┘      ▼
///      ┌──────┐      start wash                           ┌─────────┐
///      │ idle ├──────────────────────────────────────────▶│ washing │ stage washing
///      └──────┘                                           └────┬────┘
///          ▲                                               due ▼
///          │ next: folded    ┌─────────┐ due  ┌────────┐ next: start dry ┌─────────┐
///          └─────────────────┤ neutral │◀─────┤ drying │◀────────────────┤ neutral │ stage drying
///              stage folding └─────────┘      └────────┘  stage drying   └─────────┘
///
/// Any timer may be started where none runs. `stop` puts both back to what they were before the start.
enum PetState: String, Sendable, CaseIterable, FieldValue {
    case idle, cycling, washing, drying, neutral
    case needsAttention = "needs-attention"

    static func running(_ kind: TimerKind) -> PetState {
        switch kind {
        case .cycle: .cycling
        case .wash: .washing
        case .dry: .drying
        }
    }

    static func finished(_ kind: TimerKind) -> PetState { kind == .cycle ? .needsAttention : .neutral }
}

/// Where the laundry is: also while nothing runs.
enum Stage: String, Sendable, CaseIterable, FieldValue {
    case idle, washing, drying, folding

    /// While a timer of this kind runs; a cycle says nothing of the laundry.
    static func running(_ kind: TimerKind, after stage: Stage) -> Stage {
        switch kind {
        case .cycle: stage
        case .wash: .washing
        case .dry: .drying
        }
    }

    static func finished(_ kind: TimerKind, after stage: Stage) -> Stage {
        switch kind {
        case .cycle: stage
        case .wash: .drying
        case .dry: .folding
        }
    }
}

/// What a user would do now.
enum NextStep: String, Sendable, CaseIterable, FieldValue {
    case startWash = "start-wash"
    case startDryer = "start-dryer"
    case fold

    var title: String {
        switch self {
        case .startWash: "Start Washer"
        case .startDryer: "Start Dryer"
        case .fold: "Folded"
        }
    }

    init?(_ state: PetState, _ stage: Stage) {
        switch (state, stage) {
        case (.needsAttention, _): self = .startWash
        case (.neutral, .drying): self = .startDryer
        case (.neutral, .folding): self = .fold
        default: return nil
        }
    }
}

/// In the store: the place in the list of all cases, which therefore only grows at its end.
extension CaseIterable where Self: Equatable, AllCases == [Self] {
    var storedCode: Int64 { Int64(Self.allCases.firstIndex(of: self) ?? 0) }

    init?(storedCode: Int64) {
        guard let index = Int(exactly: storedCode), Self.allCases.indices.contains(index) else { return nil }
        self = Self.allCases[index]
    }
}
