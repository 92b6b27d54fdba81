internal import Glibc

/// Users and groups of the machine, by name or number.
///
/// - Thread: any that may do I/O.
enum AccountName {
    static func group(_ name: String) throws(ControlError) -> gid_t {
        if let number = gid_t(name) { return number }
        guard let entry = getgrnam(name) else {
            throw ControlError(
                .invalid, "there is no group `\(name)` for the control socket: make it, or name another one")
        }
        return entry.pointee.gr_gid
    }

    static func user(_ name: String) throws(ControlError) -> uid_t {
        if let number = uid_t(name) { return number }
        guard let entry = getpwnam(name) else {
            throw ControlError(
                .invalid, "there is no user `\(name)` for the control socket: make it, or name another one")
        }
        return entry.pointee.pw_uid
    }

    /// What a person calls a user.
    static func text(of user: uid_t) -> String {
        guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "user \(user)" }
        return "\(String(cString: name)) (user \(user))"
    }
}
