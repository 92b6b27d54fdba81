/// The way to a notification service. What it tells comes later, never inside of a call.
@HostActor
protocol NotificationBus: AnyObject {
    /// Who is told.
    var onEvent: (@HostActor (NotificationStateMachine.Event) -> Void)? { get set }
    /// Why there is nothing to connect to; nil where there is.
    var absence: String? { get }

    /// Begins to connect: `unreachable`, or `appeared` or `vanished` follows, and one of them again whenever that changes.
    func connect()
    /// Nothing more is told of this connection.
    func disconnect()
    /// Has the bus start a service, if it knows how to; `notStarted` where not.
    func startService()
    /// `abilities` follows, with none where the service cannot say.
    func askAbilities()
    /// `sent` follows, with this token.
    func send(_ token: UInt64, _ message: NotificationMessage)
    /// Nothing follows.
    func close(_ number: UInt32)
    /// Calls `done` when all that was sent has left the process, or never will.
    func flush(_ done: @escaping @HostActor @Sendable () -> Void)
}
