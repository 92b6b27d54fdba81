internal import GStreamerKit
internal import Glibc

/// Numbers events and hands each to every subscriber, in order.
@HostActor
public final class EventHub {
    public typealias Subscriber = @HostActor (Event) -> Void

    private final class Subscription {
        let patterns: [EventPattern]
        let tell: @HostActor (EventDelivery) -> Void
        var isOver = false

        init(_ patterns: [EventPattern], _ tell: @escaping @HostActor (EventDelivery) -> Void) {
            self.patterns = patterns
            self.tell = tell
        }
    }

    /// Random per start of the host: sequence numbers mean something only together with it.
    public let bootID: UInt64
    private let clock: any HostClock
    private var sequence: UInt64 = 0
    /// In the order in which they came.
    private var subscriptions: [Subscription] = [] {
        didSet { interested = [:] }
    }
    /// Those who are told of an event, by its name; found once for each name.
    private var interested: [String: [Subscription]] = [:]
    /// Names are a plugin's to make: what is remembered of them has an end.
    private nonisolated static let mostNames = 256
    private var waiting: [Event] = []
    private var isDelivering = false
    /// The event that subscribers are being told of.
    private(set) var delivering: Event?
    /// The latest last.
    private var attributions: [EventAttribution] = []
    private var lastAttribution: UInt64 = 0
    /// A chain of events, each posted by somebody who was told of the one before, is a loop when it is longer than this.
    nonisolated static let deepest: UInt32 = 8

    public init(clock: any HostClock) {
        self.clock = clock
        var generator = SystemRandomNumberGenerator()
        bootID = generator.next()
    }

    /// Adds a subscriber to all events; the result takes it off again.
    public func subscribe(_ subscriber: @escaping Subscriber) -> @HostActor () -> Void {
        subscribe(to: [.all]) { subscriber($0.event) }
    }

    /// The same for some. It is told once of an event that several patterns take.
    func subscribe(
        to patterns: [EventPattern], _ tell: @escaping @HostActor (EventDelivery) -> Void
    ) -> @HostActor () -> Void {
        let subscription = Subscription(patterns, tell)
        subscriptions.append(subscription)
        return { [weak self] in
            subscription.isOver = true
            self?.subscriptions.removeAll { $0 === subscription }
        }
    }

    /// From now on what `scope` posts by itself follows from `cause`: somebody has asked it to do something because of that.
    /// - Returns: what ends it; with `lingers` it goes on for `EventAttribution.span` after that.
    func attribute(
        _ scope: EventAttribution.Scope, to cause: Event, lingers: Bool
    ) -> @HostActor () -> Void {
        lastAttribution += 1
        let id = lastAttribution
        let now = clock.monotonic()
        attributions.removeAll { $0.end.map { $0 <= now } ?? false || (lingers && $0.scope == scope && $0.end != nil) }
        attributions.append(EventAttribution(id: id, scope: scope, cause: cause, end: nil))
        return { [weak self] in
            guard let self, let index = self.attributions.firstIndex(where: { $0.id == id }) else { return }
            if lingers {
                self.attributions[index].end = self.clock.monotonic() + EventAttribution.span
            } else {
                self.attributions.remove(at: index)
            }
        }
    }

    /// What an event follows from that nobody is being told of the cause of.
    func attributed(_ name: String, source: String) -> Event? {
        guard !attributions.isEmpty else { return nil }
        let now = clock.monotonic()
        return attributions.last { $0.scope.takes(name, from: source) && $0.end.map { $0 > now } ?? true }?.cause
    }

    /// Tells everybody. An event posted from inside a subscriber comes after the one being told, for all of them, and
    /// follows from it unless another cause is given.
    @discardableResult
    public func post(_ name: String, source: String, _ payload: Value, cause: Event? = nil) -> Event {
        sequence += 1
        let cause = cause ?? delivering ?? attributed(name, source: source)
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
            deliver(EventDelivery(next, bootID: bootID))
        }
        return event
    }

    /// Who subscribes meanwhile hears the next one; who leaves hears nothing more.
    private func deliver(_ delivery: EventDelivery) {
        for subscription in listeners(of: delivery.event.name) where !subscription.isOver {
            delivery.advance()
            subscription.tell(delivery)
        }
    }

    private func listeners(of name: String) -> [Subscription] {
        if let found = interested[name] { return found }
        let found = subscriptions.filter { $0.patterns.contains { $0.matches(name) } }
        if interested.count >= Self.mostNames { interested = [:] }
        interested[name] = found
        return found
    }
}
