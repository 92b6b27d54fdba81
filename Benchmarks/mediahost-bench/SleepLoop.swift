import Foundation

/// What somebody would write who needs a moment and nothing else: a thread that sleeps until each of them, and, where it has to
/// be on the disk, writes a page.
final class SleepLoop: @unchecked Sendable {
    private let count: Int
    private let file: Int32?
    private let done = DispatchSemaphore(value: 0)
    // Written by the thread, read after it is done.
    private var found: [Double] = []

    /// - Parameter file: gets a page at each moment, with fdatasync; nil: none.
    init(count: Int, file: Int32? = nil) {
        self.count = count
        self.file = file
    }

    /// A moment each millisecond, from a second from now on.
    func start() {
        Thread.detachNewThread { [self] in
            var now = timespec()
            clock_gettime(CLOCK_BOOTTIME, &now)
            let page = [UInt8](repeating: 7, count: 4096)
            found = (0..<count).map { index in
                let nanoseconds = now.tv_nsec + 1_000_000 * index
                var end = timespec(
                    tv_sec: now.tv_sec + 1 + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
                while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &end, nil) != 0 {}
                if let file, write(file, page, page.count) != page.count || fdatasync(file) != 0 { return .infinity }
                var woken = timespec()
                clock_gettime(CLOCK_BOOTTIME, &woken)
                return Double((woken.tv_sec - end.tv_sec) * 1_000_000_000 + woken.tv_nsec - end.tv_nsec) / 1000
            }
            done.signal()
        }
    }

    /// How late it was each time, in microseconds; waits for its end.
    func late() -> [Double] {
        done.wait()
        return found
    }
}
