internal import Glibc

/// A lock on an open file, which goes with the last descriptor of it.
enum FileLock {
    /// A process that another one is made of has all descriptors, and with them the locks, until it runs its program: who
    /// lets go of a file and takes it again at that moment waits that long, and longer where all processors are busy.
    static let rounds = 50

    /// - Parameter pause: between two tries, a hundredth of a second.
    /// - Returns: 0, or `EWOULDBLOCK` where another has it, half a second later still; or what else is in the way.
    /// - Thread: the control thread.
    static func take(_ file: Int32, pause: () -> Void = { usleep(10_000) }) -> Int32 {
        for round in 1...rounds {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return 0 }
            let error = errno
            guard error == EINTR || error == EWOULDBLOCK && round < rounds else { return error }
            pause()
        }
        return EWOULDBLOCK
    }
}
