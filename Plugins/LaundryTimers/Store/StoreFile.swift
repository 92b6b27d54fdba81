import Glibc

/// Opens the store, and puts one aside that is damaged: it stays beside the new one, for whoever can read it still.
struct StoreFile {
    let path: String
    let environment: TimerEnvironment

    /// What came of it.
    struct Opened {
        var keeper: TimerKeeper
        /// Where the damaged one is, and what was wrong with it.
        var damage: (path: String, reason: String)?
        /// There was a file, and nothing in it.
        var wasEmpty = false
    }

    func open(at now: Moment, policy: TimerPolicy) throws(StoreError) -> Opened {
        let wasEmpty = isEmpty
        do throws(StoreError) {
            return Opened(keeper: try keeper(now, policy), wasEmpty: wasEmpty)
        } catch {
            guard error.isDamage else { throw error }
            let aside = try setAside()
            let keeper = try keeper(now, policy)
            try keeper.takePlace(of: aside)
            return Opened(keeper: keeper, damage: (aside, error.message))
        }
    }

    private var isEmpty: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0 && access(path + "-wal", F_OK) != 0
    }

    private func keeper(_ now: Moment, _ policy: TimerPolicy) throws(StoreError) -> TimerKeeper {
        let bootID = environment.bootID()
        return try TimerKeeper(
            TimerStore(path, vfs: environment.vfs), bootID: bootID, now: now,
            isSynchronised: environment.isSynchronised(), policy: policy, zone: environment.zone())
    }

    /// Under a name that is free, with what belongs to it.
    func setAside() throws(StoreError) -> String {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        guard rename(path, aside) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(
                code: 1, message: "it is damaged and cannot be put aside as \(aside) (\(reason)); move it yourself")
        }
        for suffix in ["-wal", "-journal"] { rename(path + suffix, aside + suffix) }
        return aside
    }
}
