/// How the process ends; the README lists them.
public enum ExitCode: Int32, Sendable {
    case success = 0
    /// No pipeline is left that could run, or a command failed.
    case failure = 1
    /// The command line was not understood.
    case usage = 2
    /// The configuration has errors.
    case configuration = 3
    /// The host cannot be reached, or lets nobody in: its socket, its address, its token.
    case control = 4
    /// By Ctrl-C, while it waited for something; 128 and the number of the signal, as shells say it.
    case interrupted = 130
}
