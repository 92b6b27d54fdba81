internal import CGLib
internal import CMemory
internal import Glibc
import Locking

/// The process that a plugin is in while its calls are serialised: the library, the guard before it, and a wire to the host.
public enum GuestChild {
    /// The command that begins it, hidden from the help: `mediahost plugin guest FILE`.
    static let command = ["plugin", "guest"]

    enum Files {
        static let main: Int32 = 4
        static let side: Int32 = 5
        static let stream: Int32 = 6
    }

    /// - Parameter parent: the trial.
    /// - Thread: the main thread of a process that does nothing else. Does not return.
    public static func run(_ path: String, parent: Int32?) -> Never {
        TrialChild.prepare(parent: parent)
        let link = HostLink()
        let library = GuardedLibrary(path, host: link)
        let thread = TrialThread { link.serveStream(library) }
        thread.start()
        let loop = MainLoop()
        // Read by the callback as long as the loop runs, which is as long as the process does.
        let service = Unmanaged.passRetained(Service(link, library))
        loop.run {
            CrashReport.prepare(log: Log { _ in })
            TrialChild.prepareReports()
            mh_set_thread_role(CallRole.main.rawValue)
            g_unix_fd_add(
                Files.main, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue),
                { _, _, context in
                    guard let context else { return 0 }
                    let service = Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
                    service.link.serve(service.library)
                    return 1
                }, service.toOpaque())
        }
        _exit(0)
    }

    private final class Service: Sendable {
        let link: HostLink
        let library: GuardedLibrary

        init(_ link: HostLink, _ library: GuardedLibrary) {
            self.link = link
            self.library = library
        }
    }

    /// Starts one. - Thread: the one that lives as long as it shall.
    static func start(_ path: String) -> Result<(pid_t, PluginLink.Files), PluginFailure> {
        var ends: [(here: Int32, there: Int32)] = []
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
                return .failure(PluginFailure(String(cString: strerror(errno))))
            }
            // Above the numbers that the child has them under.
            ends.append((pair[0], fcntl(pair[1], F_DUPFD_CLOEXEC, 20)))
            close(pair[1])
        }
        defer { for end in ends { close(end.there) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (end, number) in zip(ends, [Files.main, Files.side, Files.stream]) {
            posix_spawn_file_actions_adddup2(&actions, end.there, number)
        }
        // 0 to 3 are the trial's own: nothing, standard output and errors, and the report.
        mh_spawn_keep_files(&actions, Files.stream + 1)
        let words = ["mediahost"] + command + ["--parent=\(getpid())", "--", path]
        let arguments = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var child = pid_t()
        let failure = posix_spawn(&child, "/proc/self/exe", &actions, nil, arguments, environ)
        guard failure == 0 else { return .failure(PluginFailure(String(cString: strerror(failure)))) }
        return .success((child, PluginLink.Files(main: ends[0].here, side: ends[1].here, stream: ends[2].here)))
    }
}

/// A thread that runs until the process ends.
final class TrialThread {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func start() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<TrialThread>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }
}
