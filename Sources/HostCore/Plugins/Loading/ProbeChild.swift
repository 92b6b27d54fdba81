internal import CGLib
internal import Glibc

/// The process that a library is tried in: it does what the host will do, and tells how far it has come.
///
/// It has no host: no GLib, no GStreamer, no threads of its own.
public enum ProbeChild {
    /// The command that begins it, hidden from the help: `mediahost plugin probe FILE`.
    static let command = ["plugin", "probe"]
    /// Where it reports; by hand, where nothing is open there, to standard output.
    static let reportFile: Int32 = 3

    /// - Parameter parent: whoever waits for the report; nil: nobody does.
    /// - Thread: the main thread of a process that does nothing else. Does not return.
    public static func run(_ path: String, parent: Int32?) -> Never {
        mh_die_with_parent()
        // It died before it could be said.
        if let parent, getppid() != parent { _exit(1) }
        mh_no_core_dumps()
        // Whatever is installed (a backtracer, a sanitizer) must not stand between a crash and its signal.
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGPIPE] { signal(number, SIG_DFL) }
        let output = fcntl(reportFile, F_GETFD) >= 0 ? reportFile : STDOUT_FILENO
        let process = getpid()
        let end: ProbeReport.End
        do throws(PluginFailure) {
            try LibraryFile.check(path)
            var children = false
            let library = try OpenedLibrary.open(path) { phase throws(PluginFailure) in
                // A fork of it is none of the probe.
                guard getpid() == process else { _exit(0) }
                write(ProbeReport.line(phase), to: output)
                switch phase {
                case .load, .entry: break
                case .initialise: children = hasChildren()
                case .factory where !children && hasChildren(): throw forked(path)
                case .factory, .descriptors: break
                }
            }
            end = .sound(library.facts)
        } catch {
            end = .refused(error)
        }
        guard getpid() == process else { _exit(0) }
        write(ProbeReport.line(end), to: output)
        // Neither its destructors nor what it registered for the end of the process: they are not what is asked.
        _exit(0)
    }

    private static func forked(_ path: String) -> PluginFailure {
        PluginFailure(
            "\(path): its init started a process; init must be cheap: no thread, no process, no I/O",
            help: "this is the plugin's mistake, not yours: such work belongs in activate")
    }

    private static func hasChildren() -> Bool {
        var information = siginfo_t()
        return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
    }

    private static func write(_ text: String, to file: Int32) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { _exit(1) }
            written += count
        }
    }
}
