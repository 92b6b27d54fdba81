import Glibc

/// Opens the store, and puts one aside that is damaged: it stays beside the new one, for whoever can read it still.
struct StoreFile {
    let path: String
    let environment: TimerEnvironment
    var dueSoon = DueSoon()

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
        var reason = "a host before this one found it so"
        let keeper: TimerKeeper
        do throws(StoreError) {
            keeper = try self.keeper(now, policy)
        } catch {
            guard error.isDamage else { throw error }
            _ = try setAside()
            reason = error.message
            keeper = try self.keeper(now, policy)
        }
        // Nothing was ever started in this one: also where who put the other aside did not live to say so.
        guard keeper.number == 1, let aside = lastAside else { return Opened(keeper: keeper, wasEmpty: wasEmpty) }
        try keeper.takePlace(of: aside)
        return Opened(keeper: keeper, damage: (aside, reason))
    }

    private func aside(_ number: Int) -> String { "\(path).damaged-\(number)" }

    /// How many were put aside.
    private var asideCount: Int {
        var count = 0
        while access(aside(count + 1), F_OK) == 0 { count += 1 }
        return count
    }

    private var lastAside: String? {
        let count = asideCount
        return count == 0 ? nil : aside(count)
    }

    private var isEmpty: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0 && access(path + "-wal", F_OK) != 0
    }

    private func keeper(_ now: Moment, _ policy: TimerPolicy) throws(StoreError) -> TimerKeeper {
        let bootID = environment.bootID()
        return try TimerKeeper(
            TimerStore(path, vfs: environment.vfs), bootID: bootID, now: now,
            isSynchronised: environment.isSynchronised(), policy: policy, zone: environment.zone(), dueSoon: dueSoon,
            lead: TimerKeeper.usualLead)
    }

    /// Under a name that is free, with what belongs to it.
    func setAside() throws(StoreError) -> String {
        let aside = aside(asideCount + 1)
        guard rename(path, aside) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(
                code: 1, message: "it is damaged and cannot be put aside as \(aside) (\(reason)); move it yourself")
        }
        for suffix in ["-wal", "-journal"] { rename(path + suffix, aside + suffix) }
        return aside
    }
}
