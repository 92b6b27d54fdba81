internal import CGLib
internal import CMemory
internal import Glibc

/// The process that a trial is held in: the host's parts, and the plugin, here or behind a wire.
public enum TrialChild {
    /// The command that begins it, hidden from the help: `mediahost plugin trial FILE ORDER`.
    static let command = ["plugin", "trial"]

    /// - Parameters:
    ///   - order: a `TrialOrder`'s text.
    ///   - parent: whoever waits for the report.
    /// - Thread: the main thread of a process that does nothing else. Does not return.
    public static func run(_ path: String, _ order: String, parent: Int32?) -> Never {
        prepare(parent: parent)
        guard let order = TrialOrder(text: order), chdir(order.directory) == 0 else { _exit(2) }
        let desk = HostDesk()
        let plugin: any CallTarget
        if order.step.isSerialised {
            // From this thread: the guest ends with it.
            switch GuestChild.start(path) {
            case .failure(let failure):
                say("no process for the plugin: \(failure)")
                _exit(2)
            case .success(let (guest, files)):
                let link = PluginLink(files, guest: guest, host: desk)
                TrialThread { link.serveSide() }.start()
                plugin = link
            }
        } else {
            plugin = GuardedLibrary(path, host: desk) { number in
                (desk.place(number) as? HostPlace)?.table.pointee.host_data
            }
        }
        let loop = MainLoop()
        loop.run {
            if !order.step.isSerialised {
                CrashReport.prepare(log: Log { _ in })
                prepareReports()
            }
            mh_set_thread_role(CallRole.main.rawValue)
            HostActor.task {
                await TrialBench.hold(order, plugin, desk)
                TrialPipe.write(TrialReport.complete())
                // Neither destructors nor what was registered for the end of a process: they are not what is asked.
                _exit(0)
            }
        }
        _exit(2)
    }

    /// What each process of a trial begins with.
    static func prepare(parent: Int32?) {
        mh_die_with_parent()
        // It died before it could be said.
        if let parent, getppid() != parent { _exit(1) }
        mh_no_core_dumps()
        // Whatever is installed (a backtracer, a sanitizer) must not stand between a crash and its signal.
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] { signal(number, SIG_DFL) }
        signal(SIGPIPE, SIG_IGN)
    }

    /// After `CrashReport`, which has the last word.
    static func prepareReports() {
        let failure = mh_lending_prepare()
        if failure != 0 { TrialPipe.note("what is borrowed is not watched: error \(failure)") }
        mh_trial_report_crash(TrialPipe.file)
    }

    /// A line for people, where the trial's last words are taken from. - Thread: any.
    static func say(_ text: String) {
        let bytes = Array((text.prefix(500) + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
