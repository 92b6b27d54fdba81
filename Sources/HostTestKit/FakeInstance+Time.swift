internal import HostCore
internal import PluginABI

/// Time that passes only when a test says so.
///
/// ```swift
/// try washer.advance(by: .seconds(3600))                  // timers are told, each at its own moment
/// try washer.suspend(for: .seconds(600))                  // the monotonic clock stands meanwhile
/// try washer.setWallClock(by: .seconds(-30))              // event clock.set, then what is due
/// ```
extension FakeInstance {
    /// Moves all clocks on and tells what becomes due.
    public func advance(by span: Duration) throws(Broken) {
        let end = fake.time(.monotonic) + span.nanoseconds
        while let distance = fake.timers.nextLook(fake.time), distance <= end - fake.time(.monotonic) {
            fake.write { $0.now += distance }
            try tellTimers()
        }
        fake.write { $0.now = end }
        fake.notifying.expire(at: fake.time(.boottime))
        tellNotifications()
    }

    /// The machine sleeps: the monotonic clock stands, the others go on. What became due meanwhile is told at its end.
    public func suspend(for span: Duration) throws(Broken) {
        fake.write { record in
            record.suspended += span.nanoseconds
            record.wallClock += span.nanoseconds
        }
        try advance(by: .zero)
    }

    /// Somebody sets the wall clock, forward or back.
    public func setWallClock(by step: Duration) throws(Broken) {
        fake.write { $0.wallClock += step.nanoseconds }
        let now = fake.time(.realtime)
        deliver(FakeEvent(name: "clock.set", payload: ["step_ns": .int(step.nanoseconds), "realtime_ns": .int(now)]))
        fake.timers.wallClockWasSet(to: now)
        try advance(by: .zero)
    }

    /// Tells the plugin of an event, if it subscribed to it.
    public func deliver(_ event: FakeEvent, from source: String = "host") {
        guard let table = try? table(MH_EXT_EVENTS, as: mh_events_plugin_1.self).pointee, let onEvent = table.on_event,
            subscribes(table, event.name)
        else { return }
        fake.lend(event.payload) { payload in
            fake.lend(event.name) { name in
                fake.lend(source) { source in
                    var view = mh_event_1()
                    view.size = UInt32(MemoryLayout<mh_event_1>.size)
                    view.sequence = 1
                    view.monotonic = fake.time(.monotonic)
                    view.realtime = fake.time(.realtime)
                    (view.name, view.source, view.payload) = (name, source, payload)
                    onEvent(plugin, &view)
                }
            }
        }
    }

    private func subscribes(_ table: mh_events_plugin_1, _ event: String) -> Bool {
        var cursor = table.subscriptions
        while let place = cursor, let text = place.pointee {
            let pattern = String(cString: text)
            if pattern == event || pattern.hasSuffix(".*") && event.hasPrefix(pattern.dropLast()) { return true }
            cursor = place + 1
        }
        return false
    }

    private func tellTimers() throws(Broken) {
        let table = try table(MH_EXT_TIMER, as: mh_timer_plugin_1.self)
        for clock in ClockName.allCases {
            for expiry in fake.timers.takeDue(clock, at: fake.time(clock)) where fake.timers.take(expiry) {
                var view = mh_timer_expiry_1(
                    timer: expiry.id, expirations: expiry.expirations, due: expiry.due.nanoseconds,
                    late: expiry.late.nanoseconds)
                table.pointee.on_timer?(plugin, &view)
            }
        }
    }
}
