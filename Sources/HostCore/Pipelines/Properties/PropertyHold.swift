/// Somebody's wish to be told of properties. It ends with this object.
///
/// - Thread: main.
@HostActor
public final class PropertyHold: Sendable {
    private let onStart: @HostActor @Sendable () -> Void
    private let onEnd: @HostActor @Sendable () -> Void

    init(onStart: @escaping @HostActor @Sendable () -> Void, onEnd: @escaping @HostActor @Sendable () -> Void) {
        (self.onStart, self.onEnd) = (onStart, onEnd)
    }

    isolated deinit { onEnd() }

    /// The one who wants to know listens now: the present values are told.
    func start() { onStart() }
}
