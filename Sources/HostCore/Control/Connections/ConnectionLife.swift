internal import GStreamerKit

/// Where a connection is, and until when it may stay there. The decision without sockets and clocks.
///
/// ```
///      accepted            request read           answer written
/// head ---------> body ----------------> answering ------------> writing ---> idle ---> head
///   `--------------`-- too slow: 408 --> lingering <-- refused ----'            |
///                                            `------------> ended <-- too long -'
/// ```
/// - Thread: any. A value.
struct ConnectionLife: Sendable {
    enum Phase: Sendable, Equatable {
        /// Waits for a request's first line and its header fields.
        case head
        case body
        /// The request is there and its route at work: for as long as that takes.
        case answering
        case writing
        /// Between two requests.
        case idle
        /// All was said; what the client still sends is thrown away.
        case lingering
        case ended
    }

    /// What has to be done about a connection that was too slow.
    enum Verdict: Sendable, Equatable {
        /// It gets 408: it is not known whether it would have sent more.
        case tooSlow
        /// There is nobody to tell.
        case close
    }

    private let limits: ConnectionLimits
    private(set) var phase = Phase.head
    /// nil: none.
    private(set) var deadline: ClockTime?

    init(_ limits: ConnectionLimits, at now: ClockTime) {
        self.limits = limits
        deadline = now + limits.head
    }

    /// What has ended stays so. To enter the phase it is in is progress: the time begins anew.
    mutating func enter(_ next: Phase, at now: ClockTime) {
        guard phase != .ended else { return }
        phase = next
        deadline = limit(of: next).map { now + $0 }
    }

    /// What is due now, once: whoever is told does it.
    mutating func verdict(at now: ClockTime) -> Verdict? {
        guard let deadline, now >= deadline else { return nil }
        self.deadline = nil
        switch phase {
        case .head, .body: return .tooSlow
        case .writing, .idle, .lingering: return .close
        case .answering, .ended: return nil
        }
    }

    private func limit(of phase: Phase) -> ClockTime? {
        switch phase {
        case .head: limits.head
        case .body: limits.body
        case .writing: limits.writing
        case .idle: limits.idle
        case .lingering: limits.linger
        case .answering, .ended: nil
        }
    }
}
