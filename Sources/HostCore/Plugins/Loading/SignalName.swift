internal import Glibc

/// What the numbers of signals mean.
enum SignalName {
    /// What a crash does not raise: somebody else ended the process, the kernel for want of memory, say.
    static func comesFromOutside(_ number: Int32) -> Bool { [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(number) }

    /// "SIGSEGV" for 11.
    static func of(_ number: Int32) -> String {
        switch number {
        case SIGSEGV: "SIGSEGV"
        case SIGABRT: "SIGABRT"
        case SIGBUS: "SIGBUS"
        case SIGILL: "SIGILL"
        case SIGFPE: "SIGFPE"
        case SIGTRAP: "SIGTRAP"
        case SIGKILL: "SIGKILL"
        case SIGTERM: "SIGTERM"
        case SIGSYS: "SIGSYS"
        case SIGXCPU: "SIGXCPU"
        case SIGPIPE: "SIGPIPE"
        default: "signal \(number)"
        }
    }
}
