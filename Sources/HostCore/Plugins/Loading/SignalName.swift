internal import Glibc

/// "SIGSEGV" for 11.
enum SignalName {
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
