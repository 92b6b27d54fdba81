/// What becomes of a connection whose answer is no message of libsoup's: a stream that writes for itself.
///
/// - Thread: main.
final class ControlTakeover: Sendable {
    /// Why it cannot be now, which is answered then; nil: it can.
    let refusal: @HostActor @Sendable () -> ControlError?
    /// Gets the socket, whose request was read and not answered yet, and owns it from then on.
    let begin: @HostActor @Sendable (_ descriptor: Int32) -> Void

    init(
        refusal: @escaping @HostActor @Sendable () -> ControlError?,
        begin: @escaping @HostActor @Sendable (_ descriptor: Int32) -> Void
    ) {
        self.refusal = refusal
        self.begin = begin
    }
}

extension ControlTakeover: Equatable {
    static func == (left: ControlTakeover, right: ControlTakeover) -> Bool { left === right }
}
