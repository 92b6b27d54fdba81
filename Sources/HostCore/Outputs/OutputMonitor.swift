/// Who tells of audio outputs. What it tells comes later, never inside of a call.
@HostActor
protocol OutputMonitor: AnyObject {
    var onEvent: (@HostActor (OutputPresence.Event) -> Void)? { get set }
    /// `begun` follows, with changes before and after it; or `unlisted`.
    func start()
    /// Nothing more is told. It is not started again.
    func stop()
}
