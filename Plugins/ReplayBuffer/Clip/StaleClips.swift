import Glibc

/// Hidden files of clips that were never finished, because the process was killed or the machine lost its power.
///
/// Whoever writes one holds a lock on it, which ends with the process. So one without a lock is nobody's, whatever process
/// has the number in its name by now.
enum StaleClips {
    /// Removes those in a directory; how many.
    /// - Thread: worker.
    static func remove(from directory: String) -> Int {
        guard let stream = opendir(directory) else { return 0 }
        defer { closedir(stream) }
        var removed = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isTemporary(name), remove(name, dirfd(stream)) { removed += 1 }
        }
        return removed
    }

    /// `.NAME.PROCESS-NUMBER.part`, as `ClipFile` names them.
    static func isTemporary(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].isEmpty, let last = parts.last, last.elementsEqual("part".utf8) else {
            return false
        }
        let numbers = parts[parts.count - 2].split(
            separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return numbers.count == 2 && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(digits.contains) }
    }

    private static func remove(_ name: String, _ directory: Int32) -> Bool {
        let descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var (file, now) = (stat(), stat())
        guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_uid == geteuid(),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            // Still the file of that name.
            fstatat(directory, name, &now, AT_SYMLINK_NOFOLLOW) == 0, now.st_ino == file.st_ino,
            now.st_dev == file.st_dev
        else { return false }
        return unlinkat(directory, name, 0) == 0
    }
}
