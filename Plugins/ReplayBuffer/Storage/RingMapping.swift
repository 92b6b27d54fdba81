internal import Glibc

/// Memory that is shared with a file, and the file itself.
///
/// What a process has written there is the kernel's: a kill takes nothing of it back.
// The ring's lock orders all access to what it points at.
final class RingMapping: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let length: Int
    private let file: Int32

    /// - Parameter file: owned from here on, also on failure; -1 for memory without a file.
    init?(file: Int32, length: Int) {
        let kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED
        guard length > 0, let base = mmap(nil, length, PROT_READ | PROT_WRITE, kind, file, 0), base != MAP_FAILED else {
            if file >= 0 { close(file) }
            return nil
        }
        (self.base, self.length, self.file) = (base, length, file)
    }

    deinit {
        munmap(base, length)
        // With it goes the lock on the file.
        if file >= 0 { close(file) }
    }
}
