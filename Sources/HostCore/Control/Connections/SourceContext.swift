internal import CGLib

/// Sources of the loop of our own making: the object that each is about lies behind what GLib keeps of it.
/// - Thread: main.
@HostActor
enum SourceContext {
    private nonisolated static let offset = MemoryLayout<GSource>.stride

    /// What GLib calls, to be kept in a static: GLib keeps the address.
    static func functions(
        prepare: @escaping @convention(c) (UnsafeMutablePointer<GSource>?, UnsafeMutablePointer<gint>?) -> gboolean,
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

    /// - Parameter object: not retained.
    /// - Returns: the caller owns it.
    static func makeSource(
        _ functions: UnsafeMutablePointer<GSourceFuncs>, for object: AnyObject
    ) -> UnsafeMutablePointer<GSource>? {
        let source = g_source_new(functions, guint(offset + MemoryLayout<UnsafeMutableRawPointer>.stride))
        if let source {
            UnsafeMutableRawPointer(source).storeBytes(
                of: Unmanaged.passUnretained(object).toOpaque(), toByteOffset: offset, as: UnsafeMutableRawPointer.self)
        }
        return source
    }

    /// For the functions of a source, which GLib calls on the control thread.
    nonisolated static func with<Object: AnyObject & Sendable, Result: Sendable>(
        _ source: UnsafeMutablePointer<GSource>?, as: Object.Type, _ body: @HostActor (Object) -> Result
    ) -> Result? {
        guard let source else { return nil }
        // The pointer does not leave that thread, which assumeIsolated checks.
        nonisolated(unsafe) let object = UnsafeRawPointer(source).load(
            fromByteOffset: offset, as: UnsafeMutableRawPointer.self)
        return HostActor.assumeIsolated { body(Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()) }
    }
}
