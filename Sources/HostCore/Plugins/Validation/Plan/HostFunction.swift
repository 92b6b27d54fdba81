/// What a plugin calls, and who may do so when: the tags in the headers as a table.
enum HostFunction: String, Sendable, CaseIterable {
    case getExtension = "get_extension"
    case fail
    case requestMain = "request_main"
    case log = "log.write"
    case clock = "clock"
    case post = "events.post"
    case acknowledge = "lifecycle.ack"
    case reply = "commands.reply"
    case reject = "commands.reject"
    case progress = "commands.progress"
    case submit = "worker.submit"
    /// No call of the ABI: work that was submitted has run.
    case workDone = "work_done"
    case stateDirectory = "state-directory.path"
    case keepFile = "fd-store.keep"
    case takeFile = "fd-store.take"
    case dropFile = "fd-store.drop"
    case attach = "tap.attach"
    case detach = "tap.detach"
    case retain = "tap.retain"
    case element = "gst.element"
    case watch = "fd.watch"
    case modify = "fd.modify"
    case unwatch = "fd.unwatch"
    case refuse = "config.refuse"
    case declare = "metrics.declare"
    case respond = "routes.respond"
    case respondValue = "routes.respond_value"
    case rejectRequest = "routes.reject"
    case respondFile = "routes.respond_file"
    case arm = "timer.arm"
    case cancelTimer = "timer.cancel"
    case showNotification = "notify.show"
    case withdrawNotification = "notify.withdraw"

    /// What the header says.
    struct Rule: Sendable {
        var roles: Set<CallRole>
        var phases: Set<CallPhase>
        /// As it stands there.
        var tag: String
    }

    private static let anyRole: Set<CallRole> = [.main, .stream, .worker, .own]
    /// A thread of the plugin's own may do what a worker may: it is none of the host's, and may wait.
    private static let work: Set<CallRole> = [.main, .worker, .own]
    private static let begun: Set<CallPhase> = [
        .initialising, .ready, .activating, .active, .deactivating, .destroying,
    ]
    private static let running: Set<CallPhase> = [.ready, .activating, .active, .deactivating]

    var rule: Rule {
        switch self {
        case .getExtension: Rule(roles: [.main], phases: Self.begun, tag: "host.h: [main, from `init` on]")
        case .fail, .requestMain: Rule(roles: Self.anyRole, phases: Self.begun, tag: "host.h: [any, from `init` on]")
        case .log: Rule(roles: Self.work, phases: Self.begun, tag: "log.h: [main, worker; from `init` on]")
        case .clock, .workDone: Rule(roles: Self.anyRole, phases: Self.begun, tag: "clock.h: [any, from `init` on]")
        case .post: Rule(roles: Self.work, phases: Self.running, tag: "events.h: [main, worker; ready or active]")
        // What was asked while it was active may be answered a little later: the host says then that nobody waits.
        case .acknowledge: Rule(roles: Self.anyRole, phases: Self.running, tag: "lifecycle.h: [any, active]")
        case .reply, .reject: Rule(roles: Self.anyRole, phases: Self.running, tag: "commands.h: [any, active]")
        case .progress: Rule(roles: Self.work, phases: Self.running, tag: "commands.h: [main, worker; active]")
        case .submit: Rule(roles: Self.work, phases: Self.running, tag: "worker.h: [main, worker; ready or active]")
        case .stateDirectory:
            Rule(roles: Self.work, phases: Self.begun, tag: "state_directory.h: [main, worker; from `init` on]")
        case .keepFile, .takeFile, .dropFile:
            Rule(roles: Self.work, phases: Self.begun, tag: "fd_store.h: [main, worker; from `init` on]")
        case .attach:
            Rule(roles: [.main], phases: [.activating, .active], tag: "tap.h: [main, active or in `activate`]")
        case .detach: Rule(roles: [.main], phases: Self.running, tag: "tap.h: [main, from `activate` on]")
        case .declare: Rule(roles: [.main], phases: Self.begun, tag: "metrics.h: [main, from `init` on]")
        case .respond, .respondValue, .respondFile, .rejectRequest:
            Rule(roles: Self.anyRole, phases: Self.running, tag: "routes.h: [any, active]")
        case .element:
            Rule(roles: [.main], phases: [.activating, .active], tag: "gst.h: [main, active or in `activate`]")
        case .watch, .modify:
            Rule(roles: [.main], phases: [.activating, .active], tag: "fd.h: [main, active or in `activate`]")
        case .unwatch: Rule(roles: Self.anyRole, phases: Self.begun, tag: "fd.h: [any, from `init` on]")
        case .refuse: Rule(roles: [.main], phases: [.active], tag: "config.h: [main, in `validate` or `apply`]")
        case .arm:
            Rule(roles: [.main], phases: [.activating, .active], tag: "timer.h: [main, active or in `activate`]")
        case .cancelTimer: Rule(roles: Self.anyRole, phases: Self.begun, tag: "timer.h: [any, from `init` on]")
        case .showNotification:
            Rule(roles: [.main], phases: [.activating, .active], tag: "notify.h: [main, active or in `activate`]")
        case .withdrawNotification:
            Rule(roles: Self.anyRole, phases: Self.begun, tag: "notify.h: [any, from `init` on]")
        case .retain: Rule(roles: [.stream], phases: Self.running, tag: "tap.h: [stream, in `buffer`]")
        }
    }

    /// What is wrong with a call, if anything.
    func fault(_ role: CallRole, _ phase: CallPhase) -> TrialFault? {
        let rule = rule
        if !rule.roles.contains(role) {
            return TrialFault(
                "called \(rawValue) \(role.text)", expected: "mediahost/\(rule.tag)",
                fix: role == .stream
                    ? "on a streaming thread set a flag and call request_main; do it in on_main"
                    : "call request_main, and do it in on_main")
        }
        if !rule.phases.contains(phase) {
            return TrialFault(
                "called \(rawValue) \(phase.text)", expected: "mediahost/\(rule.tag)", fix: Self.fix(phase))
        }
        return nil
    }

    private static func fix(_ phase: CallPhase) -> String {
        switch phase {
        case .created: "keep the host in create; call it from init on"
        case .gone, .destroying:
            "end what calls it (threads, timers) in deactivate, and wait for its end before destroy returns"
        default: "move the call to where the instance is active"
        }
    }
}
