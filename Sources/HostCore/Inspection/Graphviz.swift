internal import CGLib
internal import Glibc

/// Graphviz's `dot`, where it is installed.
public enum Graphviz {
    public struct Failure: Error, Sendable, Equatable {
        public var message: String
    }

    /// Ends a drawing that takes too long. - Thread: any.
    final class Stop: Sendable {
        // Owned, never written after init; GCancellable may be used from any thread.
        nonisolated(unsafe) fileprivate let cancellable: UnsafeMutablePointer<GCancellable>? = g_cancellable_new()

        deinit { if let cancellable { g_object_unref(cancellable) } }

        var isSet: Bool { cancellable.map { g_cancellable_is_cancelled($0) != 0 } ?? false }

        func now() { if let cancellable { g_cancellable_cancel(cancellable) } }
    }

    /// Draws a graph as SVG. What `dot` complains of goes to standard error.
    /// - Thread: worker or a short-lived process; waits until `dot` has ended.
    public static func svg(of graph: String) throws(Failure) -> String { try svg(of: graph, stop: nil) }

    /// The same; `stop` kills it.
    static func svg(of graph: String, stop: Stop?, program name: String = "dot") throws(Failure) -> String {
        guard let program = g_find_program_in_path(name) else {
            throw Failure(
                message: "SVG is drawn by graphviz, and its program `dot` is not in the PATH: install it "
                    + "(`apt install graphviz`), or take `--format dot`")
        }
        defer { g_free(program) }
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        let words = g_strv_builder_new()
        defer { g_strv_builder_unref(words) }
        for word in [String(cString: program), "-Tsvg"] { g_strv_builder_add(words, word) }
        let vector = g_strv_builder_end(words)
        defer { g_strfreev(vector) }
        let flags = G_SUBPROCESS_FLAGS_STDIN_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue
        var output: UnsafeMutablePointer<CChar>?
        defer { g_free(output) }
        guard let child = mh_subprocess_new(vector, GSubprocessFlags(rawValue: flags), &failure) else {
            throw Failure(message: "cannot run `dot`: \(text(of: failure))")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(child)) }
        // One that ends before it has read all must not take this process with it.
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let isDone = g_subprocess_communicate_utf8(child, graph, stop?.cancellable, &output, nil, &failure) != 0
        if !isDone, stop?.isSet == true { g_subprocess_force_exit(child) }
        // The pipe breaks then; why the program ended says more.
        if !isDone { g_subprocess_wait(child, nil, nil) }
        guard g_subprocess_get_successful(child) != 0 else {
            let code = g_subprocess_get_if_exited(child) != 0 ? g_subprocess_get_exit_status(child) : -1
            throw Failure(message: "`dot -Tsvg` failed" + (code >= 0 ? " with exit code \(code)" : ""))
        }
        guard isDone, let output else { throw Failure(message: "`dot` was not understood: \(text(of: failure))") }
        return String(cString: output)
    }

    private static func text(of failure: UnsafeMutablePointer<GError>?) -> String {
        failure.map { String(cString: $0.pointee.message) } ?? "no reason given"
    }
}
