/// What a thread is to a plugin; the raw values are those that `mh_thread_role` keeps.
enum CallRole: Int32, Sendable {
    /// A thread that the plugin made itself.
    case own = 0
    case main = 1
    case stream = 2
    case worker = 3

    var text: String {
        switch self {
        case .own: "on a thread of its own"
        case .main: "on the control thread"
        case .stream: "on a streaming thread"
        case .worker: "on a worker"
        }
    }
}

/// How far an instance has come, as the headers name it.
enum CallPhase: UInt8, Sendable {
    case created, initialising, ready, activating, active, deactivating, destroying, gone

    var text: String {
        switch self {
        case .created: "before init"
        case .initialising: "in init"
        case .ready: "while it is ready, not active"
        case .activating: "in activate"
        case .active: "while it is active"
        case .deactivating: "in deactivate"
        case .destroying: "in destroy"
        case .gone: "after destroy"
        }
    }
}
