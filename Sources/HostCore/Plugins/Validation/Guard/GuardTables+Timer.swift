internal import PluginABI

/// mh.timer.draft/1.
extension GuardTables {
    private static let refused = mh_status(MH_E_STATE)

    // Immortal, constant once made.
    static nonisolated(unsafe) let timer = immortal(
        mh_timer_host_1(
            arm: { host, timer, token in
                token?.pointee = 0
                guard let plugin = GuardedPlugin.calling(.arm, host) else { return refused }
                guard let timer = timer?.pointee, let token else { return mh_status(MH_E_INVALID) }
                if timer.reserved != 0 {
                    TrialPipe.tell(
                        TrialFault(
                            "armed a timer whose `reserved` is \(timer.reserved)", expected: "0 (mediahost/timer.h)",
                            fix: "set the whole struct: a later host may give the field a meaning"))
                }
                let answer = plugin.ask(
                    .arm, .int(Int64(timer.clock)), .int(timer.at), .int(timer.repeat), .int(timer.slack))
                if answer.count > 1 { token.pointee = UInt64(bitPattern: answer[1].int ?? 0) }
                return answer.status
            },
            cancel: { host, token in
                guard let plugin = GuardedPlugin.calling(.cancelTimer, host) else { return refused }
                return plugin.ask(.cancelTimer, .int(Int64(bitPattern: token))).status
            }))
}
