internal import Glibc
import Locking

/// Where the processes of a trial report; a line at a time, from any thread.
///
/// One for the process, as its file is.
enum TrialPipe {
    static let file: Int32 = 3

    private static let told = Locked<Set<String>>([])
    private static let noted = Locked<Set<String>>([])
    private static let most = 50

    /// - Thread: any.
    static func write(_ line: String) {
        let bytes = Array(line.utf8)
        while Glibc.write(file, bytes, bytes.count) < 0, errno == EINTR {}
    }

    /// Each is told once, and of a flood only the beginning. - Thread: any.
    static func tell(_ fault: TrialFault) {
        let isNew = told.withLock { $0.count < most && $0.insert(fault.found).inserted }
        if isNew { write(TrialReport.fault(fault)) }
    }

    /// - Thread: any.
    static func note(_ text: String) {
        let isNew = noted.withLock { $0.count < most && $0.insert(text).inserted }
        if isNew { write(TrialReport.note(text)) }
    }

    /// Whether this process has found something. - Thread: any.
    static var hasFaults: Bool { told.withLock { !$0.isEmpty } }
}
