import Synchronization

/// What one instance did that it should not have done, or lost.
///
/// - Thread: any; updates neither wait nor allocate.
final class PluginCounters: Sendable {
    /// Posts refused because each followed from the one before.
    let deepEvents = Atomic(0)
    /// Posts refused because there were too many.
    let frequentEvents = Atomic(0)
    /// Answers that nobody waited for: a second one, one that was not asked for, or one after the instance's end.
    let ignoredAnswers = Atomic(0)
    /// Notifications not taken because there were too many.
    let refusedNotifications = Atomic(0)
    /// Calls on a thread that they are not for, where the host can tell.
    let misplacedCalls = Atomic(0)
    /// How often a file descriptor was left alone for a while because it was always ready.
    let busyFiles = Atomic(0)
    /// File descriptors not watched because there were too many.
    let refusedFiles = Atomic(0)
    /// Requests not taken because too many waited already.
    let refusedRequests = Atomic(0)
    /// Timers not armed because there were too many.
    let refusedTimers = Atomic(0)
    /// Commands that were not answered in time.
    let unansweredCalls = Atomic(0)
    /// Buffers that no tap of it was shown, because their memory cannot be read.
    let unreadableBuffers = Atomic(0)
    /// Calls of taps that had not come back when the next build of their pipeline began.
    let unreturnedCalls = Atomic(0)

    /// Counts one. True for the first.
    @discardableResult
    static func count(_ counter: borrowing Atomic<Int>) -> Bool {
        counter.add(1, ordering: .relaxed).oldValue == 0
    }

    var value: Value {
        [
            "busy_files": .int(Int64(busyFiles.load(ordering: .relaxed))),
            "deep_events": .int(Int64(deepEvents.load(ordering: .relaxed))),
            "frequent_events": .int(Int64(frequentEvents.load(ordering: .relaxed))),
            "ignored_answers": .int(Int64(ignoredAnswers.load(ordering: .relaxed))),
            "refused_notifications": .int(Int64(refusedNotifications.load(ordering: .relaxed))),
            "misplaced_calls": .int(Int64(misplacedCalls.load(ordering: .relaxed))),
            "refused_files": .int(Int64(refusedFiles.load(ordering: .relaxed))),
            "refused_requests": .int(Int64(refusedRequests.load(ordering: .relaxed))),
            "refused_timers": .int(Int64(refusedTimers.load(ordering: .relaxed))),
            "unanswered_calls": .int(Int64(unansweredCalls.load(ordering: .relaxed))),
            "unreadable_buffers": .int(Int64(unreadableBuffers.load(ordering: .relaxed))),
            "unreturned_calls": .int(Int64(unreturnedCalls.load(ordering: .relaxed))),
        ]
    }
}
