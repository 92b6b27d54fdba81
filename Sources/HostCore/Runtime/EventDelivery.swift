internal import GStreamerKit

/// One event on its way to its subscribers, with what they share of it.
@HostActor
final class EventDelivery {
    let event: Event
    private let bootID: UInt64
    /// As plugins see it; made for the first of them.
    private(set) lazy var view = PluginEventView(event, bootID: bootID)
    /// When the subscriber before had done, where it looked at the clock.
    private var lastLook: (step: Int, time: ClockTime)?
    private var step = 0

    init(_ event: Event, bootID: UInt64) {
        self.event = event
        self.bootID = bootID
    }

    /// The next subscriber is told.
    func advance() { step += 1 }

    /// Times one subscriber with one look at the clock for each, where they follow one another.
    func time(by clock: any HostClock, _ body: () -> Void) -> (took: ClockTime, end: ClockTime) {
        let begin: ClockTime =
            if let lastLook, lastLook.step == step - 1 { lastLook.time } else { clock.coarse() }
        body()
        let end = clock.coarse()
        lastLook = (step, end)
        return (end - begin, end)
    }
}
