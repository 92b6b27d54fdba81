internal import CGLib
internal import Glibc

/// All processes of a session, whatever group they are in: a shell with job control (`set -m`) gives each job a group of its own.
///
/// The leader has not been waited for, so its number is this session's and no other's. Asks the file system.
/// - Thread: worker.
struct ProcessSession {
    let leader: pid_t

    /// To each that is in it now, once.
    func send(_ signal: Int32) {
        // The leader's group at once, and where there is no /proc at least that.
        kill(-leader, signal)
        for process in members where !process.hasEnded && process.group != leader { tell(process.id, signal) }
    }

    /// Kills all. Who was on the way while others were killed is found by another look.
    func end() {
        kill(-leader, SIGKILL)
        var told: Set<pid_t> = [leader]
        var seen = members
        while true {
            let new = seen.filter { !$0.hasEnded && told.insert($0.id).inserted }
            guard !new.isEmpty else { break }
            for process in new { tell(process.id, SIGKILL) }
            seen = members
        }
        told.remove(leader)
        if !told.isEmpty {
            for id in told { guard hasEnded(id) else { break } }
            seen = members
        }
        collect(seen)
    }

    /// One that was killed has ended soon. False where the kernel does not let it go: that one is not waited for.
    private func hasEnded(_ id: pid_t) -> Bool {
        let file = mh_process_file(id)
        guard file >= 0 else { return true }
        defer { close(file) }
        guard member(id)?.hasEnded == false else { return true }
        var end = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 1000) != 0
    }

    /// What a parent that has ended leaves behind belongs to the first process of the machine or of the container. Where that is
    /// this one nobody else waits for them.
    private func collect(_ members: [Member]) {
        for process in members where process.hasEnded && process.id != leader && process.parent == getpid() {
            waitpid(process.id, nil, WNOHANG)
        }
    }

    private struct Member {
        var id: pid_t
        var parent: pid_t
        var group: pid_t
        /// Nobody has waited for it yet; it is nobody's to end.
        var hasEnded: Bool
    }

    private var members: [Member] {
        guard let stream = opendir("/proc") else { return [] }
        defer { closedir(stream) }
        var found: [Member] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let id = pid_t(name), let member = member(id) { found.append(member) }
        }
        return found
    }

    private func member(_ id: pid_t) -> Member? {
        // `ID (NAME) STATE PARENT GROUP SESSION ...`; the name may have anything in it.
        guard let text = SmallFile.text("/proc/\(id)/stat"), let name = text.lastIndex(of: ")") else { return nil }
        let words = text[text.index(after: name)...].split(separator: " ")
        guard words.count > 3, words[0] != "X", let parent = pid_t(words[1]), let group = pid_t(words[2]),
            pid_t(words[3]) == leader
        else { return nil }
        return Member(id: id, parent: parent, group: group, hasEnded: words[0] == "Z")
    }

    /// The number may have become another process's since the look.
    private func tell(_ id: pid_t, _ signal: Int32) {
        let file = mh_process_file(id)
        // Kernels before 5.3 have no such file.
        guard file >= 0 else {
            if errno == ENOSYS { kill(id, signal) }
            return
        }
        defer { close(file) }
        if member(id)?.hasEnded == false { _ = mh_process_signal(file, signal) }
    }
}
