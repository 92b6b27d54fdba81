/// How well a pet is looked after, 0 to 100.
///
///     tick   = floor(now / 30 s)
///     health = 100 - floor(100 * (30 s * tick - cared) / span), within 0...100
///
/// `cared` is the wall time at which its laundry last went on (a wash or a dry was over, or was folded), `span` how long a pet does
/// without. What happened while the clock showed a time that cannot be counts from when it is set. All pets use the one tick, so they
/// change together and nothing is stored for it; a clock that is set back makes no pet healthier than 100.
enum Health {
    /// Nanoseconds.
    static let period: Int64 = 30_000_000_000

    static func tick(_ realtime: Int64) -> Int64 { realtime >= 0 ? realtime / period : 0 }

    static func value(tick: Int64, cared: Int64, span: Int64) -> Int {
        let (now, overflow) = tick.multipliedReportingOverflow(by: period)
        let without = (overflow ? .max : now).subtractingClamped(cared)
        guard without > 0, span > 0 else { return 100 }
        guard without < span else { return 0 }
        return 100 - Int(Double(without) / Double(span) * 100)
    }
}
