internal import CGLib

/// What a method brought; valid during the call that it is given to.
struct DBusAnswer {
    /// A tuple.
    let value: OpaquePointer
    /// The open files that came with it.
    private let files: UnsafeMutablePointer<GUnixFDList>?

    init(_ value: OpaquePointer, files: UnsafeMutablePointer<GUnixFDList>?) {
        self.value = value
        self.files = files
    }

    func isA(_ type: String) -> Bool { mh_variant_is(value, type) != 0 }

    /// The file that a member of type `h` stands for: a copy, which the caller closes, and which no child inherits.
    func file(_ index: gsize) -> Int32? {
        guard let files, let member = DBusValue.member(value, index) else { return nil }
        defer { g_variant_unref(member) }
        guard mh_variant_is(member, "h") != 0 else { return nil }
        let file = g_unix_fd_list_get(files, g_variant_get_handle(member), nil)
        return file < 0 ? nil : file
    }
}
