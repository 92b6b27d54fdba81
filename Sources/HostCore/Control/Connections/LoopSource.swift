internal import CGLib

/// Sources of the loop of our own making; what each is about lies behind what GLib keeps of it.
///
/// GLib calls their functions on the control thread.
enum LoopSource {
    private static let offset = MemoryLayout<GSource>.stride

    /// What GLib calls, to be kept in a static: GLib keeps the address.
    static func functions(
        prepare: (@convention(c) (UnsafeMutablePointer<GSource>?, UnsafeMutablePointer<gint>?) -> gboolean)? = nil,
        check: (@convention(c) (UnsafeMutablePointer<GSource>?) -> gboolean)? = nil,
        dispatch: @escaping @convention(c) (UnsafeMutablePointer<GSource>?, GSourceFunc?, gpointer?) -> gboolean,
        finalize: (@convention(c) (UnsafeMutablePointer<GSource>?) -> Void)? = nil,
        closure: GSourceFunc? = nil
    ) -> UnsafeMutablePointer<GSourceFuncs> {
        let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        functions.initialize(
            to: GSourceFuncs(
                prepare: prepare, check: check, dispatch: dispatch, finalize: finalize, closure_callback: closure,
                closure_marshal: nil))
        return functions
    }

    /// - Parameter content: nothing that would have to be let go of: GLib frees the memory, and that is all.
    /// - Returns: the caller owns it.
    static func make<Content: BitwiseCopyable>(
        _ functions: UnsafeMutablePointer<GSourceFuncs>, holding content: Content
    ) -> UnsafeMutablePointer<GSource>? {
        guard let source = g_source_new(functions, guint(offset + MemoryLayout<Content>.stride)) else { return nil }
        (UnsafeMutableRawPointer(source) + offset).initializeMemory(as: Content.self, to: content)
        return source
    }

    /// It stays where it is until the source is freed.
    static func content<Content: BitwiseCopyable>(
        of source: UnsafeMutablePointer<GSource>
    ) -> UnsafeMutablePointer<Content> {
        (UnsafeMutableRawPointer(source) + offset).assumingMemoryBound(to: Content.self)
    }
}
