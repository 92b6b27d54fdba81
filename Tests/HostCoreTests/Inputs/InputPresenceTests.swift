import GStreamerKit
import Testing

@testable import HostCore

/// What is said of a device that comes and goes, and when it is asked for.
@Suite struct InputPresenceTests {
    @Test func anAbsentDeviceIsNamedOnceAndAskedForLessAndLessOften() {
        var presence = InputPresence()
        for (index, pause) in [1, 2, 4, 8, 16, 30, 30].enumerated() {
            let (note, wait) = presence.refused(.absent)
            #expect(note == (index == 0 ? .absent : nil) && wait == .seconds(Int64(pause)))
        }
        presence.changed()
        #expect(presence.refused(.absent).pause == .seconds(1))
        #expect(presence.opened(name: "Keys") == .there(name: "Keys"))
        #expect(presence.state == .open(name: "Keys"))
        #expect(presence.went(.closed) == .gone(.closed) && presence.state == .waiting)
        // Its line says that it is gone.
        #expect(presence.refused(.absent).note == nil)
        #expect(presence.opened(name: nil) == .there(name: nil))
    }

    /// udev makes the file, and gives it to its group a moment later.
    @Test func aRefusalIsToldWhenItLasts() {
        var presence = InputPresence()
        #expect(presence.refused(.denied(group: "root")).note == nil)
        #expect(presence.opened(name: nil) == .there(name: nil))
        _ = presence.went(.failed(19))
        #expect(presence.refused(.denied(group: "input")).note == nil)
        #expect(presence.refused(.denied(group: "input")).note == .denied(group: "input"))
        #expect(presence.refused(.denied(group: "input")).note == nil)
        #expect(presence.refused(.absent).note == .absent)
        #expect(presence.refused(.denied(group: "input")).note == nil)
    }

    @Test func anotherReasonIsAnotherLine() {
        var presence = InputPresence()
        #expect(presence.refused(.noInputDevice).note == .noInputDevice)
        #expect(presence.refused(.noInputDevice).note == nil)
        #expect(presence.refused(.failed(24)).note == .failed(24))
    }
}
