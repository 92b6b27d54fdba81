public import GStreamerKit

/// A wait on one clock that can be moved: it calls once, on the control thread, when the clock shows its time or a later one.
@HostActor
public protocol ClockAlarm: AnyObject {
    /// Replaces the time it waits for; nil: none, which costs nothing.
    func set(_ time: ClockTime?)
}
