import Locking

/// What every text of a log goes through before anybody sees it; nothing until it is set.
///
/// The log is there before the config that names the secrets, so all copies of a `Log` share one of these. Lock order:
/// `masking` is a leaf; the closure runs without it.
public final class LogMask: Sendable {
    /// Not the bare closure: each access through a generic type would wrap a closure once more, for ever.
    private struct Masking: Sendable {
        let apply: @Sendable (String) -> String
    }

    private let masking = Locked<Masking?>(nil)

    public init() {}

    /// - Thread: any.
    public func set(_ masking: @escaping @Sendable (String) -> String) {
        self.masking.withLock { $0 = Masking(apply: masking) }
    }

    /// - Thread: any.
    public func apply(to text: String) -> String {
        guard let masking = masking.withLock({ $0 }) else { return text }
        return masking.apply(text)
    }
}
