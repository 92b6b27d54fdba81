internal import GStreamerKit

/// Tells of properties that change, as long as somebody wants to know: event `pipeline.property`.
///
/// An element says so from any thread, perhaps for each buffer: that costs two atomic words. The value is read on a worker,
/// and told when it is another one, each property at most five times a second.
/// - Thread: main.
@HostActor
final class PropertyWatches {
    /// Of one client, and of all of them.
    nonisolated static let mostOfOne = 8
    nonisolated static let most = 64
    nonisolated static let pause = ClockTime.milliseconds(200)

    struct Key: Sendable, Hashable {
        var pipeline: String
        var path: PropertyPath
    }

    enum Reading: Sendable, Equatable {
        /// Nobody can say now: it is not built, or hangs.
        case unknown
        /// Nil: it has none.
        case value(String?)
    }

    private let clock: any HostClock
    private let read: @HostActor (Key) async -> Reading
    private let tell: @HostActor (Key, String?) -> Void
    private var watched: [Key: WatchedProperty] = [:]

    init(
        clock: any HostClock, read: @escaping @HostActor (Key) async -> Reading,
        tell: @escaping @HostActor (Key, String?) -> Void
    ) {
        (self.clock, self.read, self.tell) = (clock, read, tell)
    }

    var count: Int { watched.count }

    /// - Parameters:
    ///   - origin: of who wants to know. What nobody but clients from afar watches may be half of all, as in `SharedPlaces`.
    ///   - element: by its pipeline and its name, where it is built.
    /// - Throws: `busy` where there would be too many.
    func hold(
        _ keys: [Key], from origin: RequestOrigin = .local, element: @escaping @HostActor @Sendable (Key) -> Element?
    ) throws(ControlError) -> PropertyHold {
        let new = Set(keys).filter { watched[$0] == nil }
        let places = SharedPlaces(Self.most)
        let isAfar = origin != .local
        let fromAfar = watched.count { $0.value.holdersFromAfar > 0 || (isAfar && keys.contains($0.key)) } + new.count
        guard watched.count + new.count <= places.most, !isAfar || fromAfar <= places.most(for: origin) else {
            throw ControlError(
                .busy,
                "\(watched.count) properties are watched already, and \(Self.most) may be, "
                    + "\(places.most(for: .network)) of them over the network: try again later")
        }
        for key in keys {
            if watched[key] == nil {
                watched[key] = WatchedProperty()
                attach(key, to: element(key))
            }
            watched[key]?.holders += 1
            if isAfar { watched[key]?.holdersFromAfar += 1 }
        }
        return PropertyHold(
            onStart: { [weak self] in
                for key in keys {
                    self?.watched[key]?.last = .unknown
                    self?.look(key)
                }
            }, onEnd: { [weak self] in for key in keys { self?.release(key, isAfar) } })
    }

    /// There is a new build of a pipeline.
    func built(_ pipeline: String, _ build: Pipeline) {
        for key in watched.keys where key.pipeline == pipeline {
            attach(key, to: build.element(named: key.path.element))
            look(key)
        }
    }

    /// It is about to go.
    func released(_ pipeline: String) {
        for key in watched.keys where key.pipeline == pipeline { attach(key, to: nil) }
    }

    private func release(_ key: Key, _ isAfar: Bool) {
        guard let property = watched[key] else { return }
        property.holders -= 1
        if isAfar { property.holdersFromAfar -= 1 }
        guard property.holders == 0 else { return }
        property.notice?.cancel()
        property.timer?.cancel()
        watched[key] = nil
    }

    private func attach(_ key: Key, to element: Element?) {
        guard let property = watched[key] else { return }
        property.notice?.cancel()
        property.notice = element?.onChange(of: key.path.property) { [weak self, signal = property.signal] in
            guard signal.changed() else { return }
            HostActor.enqueue { self?.look(key) }
        }
    }

    /// Reads it now, or when its pause is over.
    private func look(_ key: Key) {
        guard let property = watched[key] else { return }
        guard property.timer == nil, !property.isReading else { return property.signal.again() }
        property.isReading = true
        property.signal.begin()
        HostActor.task { [weak self, weak property] in
            let reading = await self?.read(key) ?? .unknown
            guard let self, let property, self.watched[key] === property else { return }
            property.isReading = false
            if case .value(let value) = reading, reading != property.last {
                property.last = reading
                self.tell(key, value)
            }
            property.timer = self.clock.schedule(after: Self.pause) { [weak self, weak property] in
                property?.timer = nil
                // Whatever was said meanwhile woke nobody.
                if property?.signal.end() == true { self?.look(key) }
            }
        }
    }
}
