internal import CGLib
internal import GStreamerKit

/// Calls on the control thread while a file is ready. The file is the caller's, who closes it after this.
final class FileSource: Sendable {
    private final class Action: Sendable {
        let run: @HostActor @Sendable (UInt32) -> Void
        /// Set once, right after the file was added.
        let place: FilePlace

        init(_ place: FilePlace, _ run: @escaping @HostActor @Sendable (UInt32) -> Void) {
            self.place = place
            self.run = run
        }
    }

    private let place: FilePlace

    /// - Parameters:
    ///   - interest: GLib's conditions; errors and hang-ups are told in any case.
    ///   - priority: GLib's; the host's own work has 0, and what is larger comes after it.
    ///   - action: gets the conditions that hold.
    @HostActor
    init(
        _ file: Int32, _ interest: UInt32, priority: Int32 = 0,
        _ action: @escaping @HostActor @Sendable (UInt32) -> Void
    ) {
        place = FilePlace(file)
        let box = Unmanaged.passRetained(Action(place, action))
        g_source_set_priority(place.source, priority)
        g_source_set_callback(
            place.source,
            { context in
                guard let context else { return 0 }
                let action = Unmanaged<Action>.fromOpaque(context).takeUnretainedValue()
                HostActor.assumeIsolated {
                    let conditions = action.place.conditions
                    if conditions != 0 { action.run(conditions) }
                }
                return 1
            }, box.toOpaque(), { $0.map { Unmanaged<Action>.fromOpaque($0).release() } })
        place.add(interest)
        g_source_attach(place.source, nil)
    }

    deinit { place.end() }

    @HostActor func modify(_ interest: UInt32) { place.modify(interest) }

    /// Looks no more until `resume`.
    @HostActor func rest() { place.remove() }

    @HostActor func resume(_ interest: UInt32) { place.add(interest) }

    /// No call follows. Twice is harmless. - Thread: any; from another than main one call may still be going on.
    func close() { place.end() }
}

/// One file of one GLib source. GSource functions are thread-safe; the tag changes on the control thread only.
private final class FilePlace: Sendable {
    // Owned from init to deinit.
    nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>
    // Nil while it rests; used on the control thread only.
    private nonisolated(unsafe) var tag: gpointer?
    private let file: Int32

    init(_ file: Int32) {
        self.file = file
        source = mh_ready_source_new()
    }

    deinit { g_source_unref(source) }

    @HostActor var conditions: UInt32 { tag.map { g_source_query_unix_fd(source, $0).rawValue } ?? 0 }

    @HostActor func add(_ interest: UInt32) {
        guard tag == nil else { return }
        tag = g_source_add_unix_fd(source, file, GIOCondition(rawValue: interest))
    }

    @HostActor func modify(_ interest: UInt32) {
        guard let tag else { return }
        g_source_modify_unix_fd(source, tag, GIOCondition(rawValue: interest))
    }

    @HostActor func remove() {
        guard let tag else { return }
        g_source_remove_unix_fd(source, tag)
        self.tag = nil
    }

    func end() { g_source_destroy(source) }
}
