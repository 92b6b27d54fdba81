internal import Glibc

/// What a trial wrote, and is not wanted any more.
enum DirectoryTree {
    private static let deepest = 32

    /// Removes a directory with what is in it; links are removed, not followed.
    /// - Thread: worker.
    static func remove(_ path: String, depth: Int = 0) {
        for name in TextFile.names(in: path) {
            let inner = "\(path)/\(name)"
            var status = stat()
            if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, depth < deepest {
                remove(inner, depth: depth + 1)
            } else {
                unlink(inner)
            }
        }
        rmdir(path)
    }
}
