#if THREAD_SANITIZER
    internal import CThreadSanitizer
#endif

/// Tells the thread sanitizer of orderings it cannot see; does nothing in any other build.
///
/// GLib, GStreamer and the Swift runtime come without instrumentation, so what they order (a queue between two threads, a
/// lock) looks like a race. Each call here states an ordering that such a library guarantees, and the comment beside the
/// call names it.
public enum Handover {
    /// What this thread did before is seen by whoever calls `take` with the same address later.
    /// - Thread: any.
    @inline(__always)
    public static func give(_ address: UnsafeRawPointer) {
        #if THREAD_SANITIZER
            __tsan_release(UnsafeMutableRawPointer(mutating: address))
        #endif
    }

    /// The other side of `give`.
    /// - Thread: any.
    @inline(__always)
    public static func take(_ address: UnsafeRawPointer) {
        #if THREAD_SANITIZER
            __tsan_acquire(UnsafeMutableRawPointer(mutating: address))
        #endif
    }
}
