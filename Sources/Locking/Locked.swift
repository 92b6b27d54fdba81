public import Synchronization

/// A value and the lock that guards it: `Synchronization.Mutex`, made visible to the thread sanitizer.
///
/// The standard library's lock is not instrumented, so a sanitizer build would call every guarded access a race. In all
/// other builds this is the standard mutex and nothing else: 9 ns, no allocation.
///
/// ```swift
/// let state = Locked(State())
/// state.withLock { $0.count += 1 }
/// ```
public struct Locked<Value: ~Copyable>: ~Copyable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    public init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls `body` with the lock held. Waits as long as another holds it, so hold it only to move values.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
            let address = identity
            return try mutex.withLock { value throws(Failure) in
                Handover.take(address)
                defer { Handover.give(address) }
                return try body(&value)
            }
        #else
            return try mutex.withLock(body)
        #endif
    }

    /// The same where nobody holds the lock; nil, at once, where somebody does.
    @inlinable
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        #if THREAD_SANITIZER
            let address = identity
            return try mutex.withLockIfAvailable { value throws(Failure) in
                Handover.take(address)
                defer { Handover.give(address) }
                return try body(&value)
            }
        #else
            return try mutex.withLockIfAvailable(body)
        #endif
    }

    #if THREAD_SANITIZER
        /// One address per lock, the same from every thread.
        @usableFromInline
        var identity: UnsafeRawPointer {
            unsafe withUnsafePointer(to: mutex) { UnsafeRawPointer($0) }
        }
    #endif
}

// Access goes through the mutex, which is Sendable for every value.
extension Locked: Sendable where Value: ~Copyable {}
