internal import CStack

/// Has a process that dies in a plugin's code say whose it was: one line on stderr, which is the journal of a service.
///
/// The table behind it is the process's, as signal handlers are.
@HostActor
enum CrashReport {
    /// From now on. - Thread: the control thread, which is the one that plugins are called on.
    static func prepare(log: Log) {
        let failure = mh_crash_prepare()
        if failure != 0 { log.debug("a crash will not name the plugin it was in: error \(failure)") }
    }

    /// What is in the library that has this address: "replay", or all instances there are.
    static func note(_ address: UnsafeRawPointer, plugins: [String]) {
        _ = mh_crash_note_library(address, plugins.joined(separator: ", "))
    }
}
