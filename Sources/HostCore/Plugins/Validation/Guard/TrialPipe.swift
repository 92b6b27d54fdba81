internal import Glibc
import Locking

/// Where the processes of a trial report; a line at a time, from any thread.
///
/// One for the process, as its file is.
enum TrialPipe {
    static let file: Int32 = 3

    private static let told = Locked(TrialLedger())

    /// - Thread: any.
    static func write(_ line: String) {
        let bytes = Array(line.utf8)
        while Glibc.write(file, bytes, bytes.count) < 0, errno == EINTR {}
    }

    /// Each is told once, and of a flood only the beginning. - Thread: any.
    static func tell(_ fault: TrialFault) {
        if told.withLock({ $0.isNew(fault: fault.found) }) { write(TrialReport.fault(fault)) }
    }

    /// - Thread: any.
    static func note(_ text: String) {
        if told.withLock({ $0.isNew(note: text) }) { write(TrialReport.note(text)) }
    }

    /// Whether this process has found something. - Thread: any.
    static var hasFaults: Bool { told.withLock { $0.hasFaults } }
}
