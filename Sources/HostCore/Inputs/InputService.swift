internal import GStreamerKit

/// The inputs of the config: their keys as events. Nothing here waits.
@HostActor
final class InputService {
    private var devices: [InputDevice] = []
    private var isRunning = false
    private let events: EventHub
    private let clock: any HostClock
    private let log: Log
    private let grab: @HostActor (InputFile) -> Bool

    /// - Parameter grab: of an open device; tests have none that refuses.
    init(
        events: EventHub, clock: any HostClock, log: Log,
        grab: @escaping @HostActor (InputFile) -> Bool = { $0.grab() }
    ) {
        self.events = events
        self.clock = clock
        self.log = log
        self.grab = grab
    }

    func start(_ settings: [InputSettings]) {
        isRunning = true
        use(settings)
    }

    /// From now on these are the inputs; one that stays as it was is not touched.
    func use(_ settings: [InputSettings]) {
        guard isRunning else { return }
        var kept: [InputDevice] = []
        for device in devices {
            if settings.contains(device.settings) { kept.append(device) } else { device.stop() }
        }
        devices = settings.map { wanted in
            kept.first { $0.settings == wanted } ?? make(wanted)
        }
        for device in devices where !kept.contains(where: { $0 === device }) { device.start() }
    }

    func stop() {
        isRunning = false
        for device in devices { device.stop() }
        devices = []
    }

    /// What the API tells of them.
    var status: Value {
        .map(devices.map { .init($0.settings.name, status(of: $0)) })
    }

    var families: [MetricFamily] {
        var isOpen = MetricFamily("mediahost_input_open", .gauge, "Whether an input's device is there and read.")
        for device in devices {
            isOpen.add(device.presence.state == .waiting ? 0 : 1, ["input": device.settings.name])
        }
        return [isOpen]
    }

    private func status(of device: InputDevice) -> Value {
        let (state, name): (Value, Value) =
            switch device.presence.state {
            case .waiting: ("waiting", .null)
            case .open(let name): ("open", name.map { .string($0) } ?? .null)
            }
        return [
            "device": .string(device.settings.device), "state": state, "name": name,
            "grabbed": .bool(device.isGrabbed), "down": .list(device.down.map { .string($0) }),
            "presses": .int(Int64(device.count)),
        ]
    }

    private func make(_ settings: InputSettings) -> InputDevice {
        InputDevice(settings, clock: clock, log: log, grab: grab) { [events] notice in
            events.post(
                "input.key", source: "host",
                [
                    "input": .string(settings.name), "key": .string(KeyNames.name(of: notice.code)),
                    "code": .int(Int64(notice.code)), "press": .string(notice.press.rawValue),
                    "held_ns": .int(notice.held.nanoseconds),
                ])
        }
    }
}
