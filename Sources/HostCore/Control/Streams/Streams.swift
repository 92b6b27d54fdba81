/// The streams of one host and the server of their clients.
///
/// - Thread: main.
@HostActor
public final class Streams {
    let server: StreamServer
    let events: EventFeed
    let logs: LogFeed

    public init(server: StreamServer, events: EventFeed, logs: LogFeed) {
        self.server = server
        self.events = events
        self.logs = logs
    }

    /// Ends those of the page's port.
    public func endOfWeb() { server.end(from: .web) }

    /// Ends those of TCP: the tokens with which they began are others now.
    func endOfTokens() { server.end(from: .network) }

    /// Tells everybody the last of it and closes their connections. Twice is harmless.
    public func stop() {
        events.stop()
        logs.stop()
        server.stop()
    }
}
