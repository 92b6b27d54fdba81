public import GStreamerKit

/// What a user asks of one pipeline that plays.
public enum PlaybackRequest: Sendable, Equatable {
    case play
    case pause
    case mode(MediaMode)
    /// - Parameter isAccurate: that very sample and picture, or the key frame before it.
    case seek(to: ClockTime, isAccurate: Bool)
    case rate(Double)

    /// Beyond these nobody hears or sees anything.
    public static let rates = 0.1...16.0

    /// By its name in the API, with the members of the body.
    init(_ action: String, _ body: Value?) throws(ControlError) {
        switch action {
        case "play": self = .play
        case "pause": self = .pause
        case "mode":
            let names = MediaMode.allCases.map(\.rawValue)
            guard let text = body?["mode"]?.string, let mode = MediaMode(rawValue: text) else {
                throw ControlError(
                    .invalid, "the body must be {\"mode\": \"\(names.joined(separator: "\" or \""))\"}", field: "mode")
            }
            self = .mode(mode)
        case "seek":
            let isAccurate: Bool
            switch body?["to"]?.string ?? "accurate" {
            case "accurate": isAccurate = true
            case "key-frame": isAccurate = false
            default: throw ControlError(.invalid, "\"to\" is \"accurate\" or \"key-frame\"", field: "to")
            }
            self = .seek(to: try Self.position(body?["position"]), isAccurate: isAccurate)
        case "rate":
            guard let rate = body?["rate"]?.double, Self.rates.contains(rate) else {
                throw ControlError(
                    .invalid,
                    "the body must be {\"rate\": NUMBER}, from \(Self.rates.lowerBound) to \(Self.rates.upperBound)",
                    field: "rate")
            }
            self = .rate(rate)
        default: throw ControlError(.notFound, "a pipeline has no \"\(action)\"")
        }
    }

    /// A duration as the config writes it, or nanoseconds.
    private static func position(_ value: Value?) throws(ControlError) -> ClockTime {
        if let nanoseconds = value?.int, nanoseconds >= 0 { return ClockTime(nanoseconds: nanoseconds) }
        if let text = value?.string {
            do throws(Quantity.Invalid) {
                return ClockTime(nanoseconds: try Quantity.duration(text))
            } catch {
                throw ControlError(.invalid, "\"position\": \(error.message); \(error.help)", field: "position")
            }
        }
        throw ControlError(
            .invalid, "the body must be {\"position\": DURATION}, as \"1m30s\" or in nanoseconds", field: "position")
    }
}
