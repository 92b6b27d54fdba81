internal import GStreamerKit

/// How long all plugins together may take to acknowledge a pause.
///
/// logind waits 5 s for whoever delays a suspend, and what comes after the acknowledgements needs a part of that. The sum
/// counts, not the longest: on a busy board those who are asked together answer one after the other.
enum AcknowledgementBudget {
    static let most = ClockTime.seconds(4)
    /// For those that ask for nothing.
    static let usual = ClockTime.milliseconds(500)

    /// What one of them asks for.
    struct Wish: Sendable, Equatable {
        var name: String
        /// As its table says; 0 or less is the usual.
        var nanoseconds: Int64

        var within: ClockTime { nanoseconds > 0 ? ClockTime(nanoseconds: nanoseconds) : usual }
    }

    /// Nil where the sum fits.
    static func refusal(_ wishes: [Wish]) -> PluginFailure? {
        let sum = wishes.reduce(Int64(0)) { sum, wish in
            let (result, overflow) = sum.addingReportingOverflow(wish.within.nanoseconds)
            return overflow ? .max : result
        }
        guard sum > most.nanoseconds else { return nil }
        let list = wishes.map { wish in
            "\(wish.name) \(text(wish.within.nanoseconds))\(wish.nanoseconds > 0 ? "" : " (the default)")"
        }
        return PluginFailure(
            "the plugins may take \(text(sum)) in all to acknowledge a pause, more than \(text(most.nanoseconds)): "
                + list.joined(separator: ", "),
            help: "leave one out, or have it ask for less (ack_within, mediahost/lifecycle.h): "
                + "the service manager waits 5s before it suspends")
    }

    private static func text(_ nanoseconds: Int64) -> String { Quantity.durationText(nanoseconds) }
}
