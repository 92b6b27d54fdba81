internal import GStreamerKit
import Synchronization

/// One property that somebody wants to be told of.
///
/// - Thread: main.
@HostActor
final class WatchedProperty {
    /// What an element's own threads tell.
    final class Signal: Sendable {
        private let isChanged = Atomic(false)
        private let isAwake = Atomic(false)

        /// - Thread: any. - Returns: whether the control thread has to be woken.
        func changed() -> Bool {
            isChanged.store(true, ordering: .releasing)
            return !isAwake.exchange(true, ordering: .acquiringAndReleasing)
        }

        /// The value is about to be read: what is said from here on may be another one.
        func begin() {
            isAwake.store(true, ordering: .releasing)
            isChanged.store(false, ordering: .releasing)
        }

        /// It is to be read once more.
        func again() { isChanged.store(true, ordering: .releasing) }

        /// From here on the control thread is woken again. - Returns: whether there was something meanwhile.
        func end() -> Bool {
            isAwake.store(false, ordering: .releasing)
            return isChanged.exchange(false, ordering: .acquiringAndReleasing)
        }
    }

    let signal = Signal()
    /// How many want to know.
    var holders = 0
    /// Of them, those that did not come by the unix socket.
    var holdersFromAfar = 0
    var notice: PropertyNotice?
    /// What was told; unknown: whatever it is, it is news.
    var last = PropertyWatches.Reading.unknown
    var isReading = false
    /// Until the next reading.
    var timer: HostTimer?
}
