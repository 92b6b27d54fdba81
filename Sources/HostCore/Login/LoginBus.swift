internal import GStreamerKit

/// The way to logind. What it tells comes later, never inside of a call.
@HostActor
protocol LoginBus: AnyObject {
    /// Who is told.
    var onEvent: (@HostActor (LoginStateMachine.Event) -> Void)? { get set }
    /// Why there is nothing to connect to now; nil where there is.
    var absence: String? { get }

    /// What holds inhibitors, open for as long as they hold. Whoever takes it over closes it.
    var files: [LoginInhibitor: Int32] { get set }

    /// Begins to connect: `unreachable`, or `appeared` or `vanished` follows, and one of them again whenever that changes.
    func connect()
    /// Nothing more is told of this connection. Inhibitors are kept.
    func disconnect()
    /// `manager` follows.
    func askManager()
    /// `found`, `notFound` or `notAnswered` follows, unless logind goes first, and what happens to the session from then on; until one is found, to the one before.
    func find(_ question: LoginSession.Question)
    /// `taken` or `refused` follows. One of the same kind that is held is let go when the new one is there.
    func take(_ inhibitor: LoginInhibitor)
    /// At once.
    func release(_ inhibitor: LoginInhibitor)
}
