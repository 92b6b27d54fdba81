import PluginKit

/// How often what remains is told to whoever looks: each second, each five where energy is to be saved, never in the background.
struct UpdatePace: Sendable, Equatable {
    var state: LifecycleState = []
    /// On the monotonic clock; somebody looks until then.
    var watchedUntil = Int64.min
    var active = 0

    /// Nil: not at all.
    func interval(at now: Int64) -> Duration? {
        guard active > 0, now < watchedUntil, !state.isQuiet else { return nil }
        return state.contains(.lowPower) ? .seconds(5) : .seconds(1)
    }
}
