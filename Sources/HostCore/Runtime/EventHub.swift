internal import Glibc

/// Numbers events and hands each to every subscriber, in order.
@HostActor
public final class EventHub {
    public typealias Subscriber = @HostActor (Event) -> Void

    /// Random per start of the host: sequence numbers mean something only together with it.
    public let bootID: UInt64
    private let clock: any HostClock
    private var sequence: UInt64 = 0
    private var subscribers: [Int: Subscriber] = [:]
    private var nextSubscription = 0
    private var waiting: [Event] = []
    private var isDelivering = false
    /// The event that subscribers are being told of.
    private(set) var delivering: Event?
    /// A chain of events, each posted by somebody who was told of the one before, is a loop when it is longer than this.
    nonisolated static let deepest: UInt32 = 8

    public init(clock: any HostClock) {
        self.clock = clock
        var generator = SystemRandomNumberGenerator()
        bootID = generator.next()
    }

    /// Adds a subscriber; the result takes it off again.
    public func subscribe(_ subscriber: @escaping Subscriber) -> @HostActor () -> Void {
        let id = nextSubscription
        nextSubscription += 1
        subscribers[id] = subscriber
        return { [weak self] in self?.subscribers[id] = nil }
    }

    /// Tells everybody. An event posted from inside a subscriber comes after the one being told, for all of them, and
    /// follows from it unless another cause is given.
    @discardableResult
    public func post(_ name: String, source: String, _ payload: Value, cause: Event? = nil) -> Event {
        sequence += 1
        let cause = cause ?? delivering
        let event = Event(
            sequence: sequence, name: name, source: source, payload: payload, monotonic: clock.monotonic(),
            realtime: clock.realtime(), cause: cause?.sequence, depth: (cause?.depth ?? 0) &+ (cause == nil ? 0 : 1))
        waiting.append(event)
        guard !isDelivering else { return event }
        isDelivering = true
        defer {
            isDelivering = false
            delivering = nil
        }
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            delivering = next
            for id in subscribers.keys.sorted() { subscribers[id]?(next) }
        }
        return event
    }
}
