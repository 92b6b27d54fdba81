/// Somebody who waits for a pipeline to be at rest.
struct RestWaiter {
    /// What came of the wait.
    enum Outcome: Sendable {
        /// Nothing is under way any more.
        case atRest
        /// It is tried again, for ever maybe.
        case attemptFailed
        case late
    }

    let number: Int
    /// Of who waits only for so long; nil: for as long as it takes.
    let timer: HostTimer?
    /// Whether it may take as long as it does; if not, the way to rest has its limits.
    let isPatient: Bool
    let done: @HostActor (Outcome) -> Void
}
