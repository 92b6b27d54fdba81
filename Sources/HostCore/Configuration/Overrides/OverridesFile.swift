internal import CGLib
internal import Glibc

/// Where saved settings are: one file, which is whole at every moment.
///
/// - Thread: worker; reads and writes.
enum OverridesFile {
    static let name = "overrides.yaml"

    /// The file of a configuration that names none: in the state directory; nil where there is no such directory.
    static func defaultPath(environment: [String: String]) -> String? {
        StateDirectory.path(environment: environment).map { "\($0)/\(name)" }
    }

    /// What is there to read; nil where there is no file, or nothing in it.
    /// - Throws: with the reason where the file is there and cannot be read, or is none of ours.
    static func read(_ path: String) throws(PluginFailure) -> OverridesDocument? {
        guard let file = try open(path) else { return nil }
        var problems = Problems()
        guard let tree = ConfigurationText.read(file, into: &problems) else {
            guard let first = problems.diagnostics.first else { return nil }
            throw PluginFailure("\(place(first, path)): \(first.message)", help: first.help)
        }
        if let first = problems.diagnostics.first(where: { $0.severity == .error }) {
            throw PluginFailure("\(place(first, path)): \(first.message)", help: first.help)
        }
        guard tree.entries != nil else { throw PluginFailure("\(path): the overrides must be a map, not \(tree.kind)") }
        return OverridesDocument(tree)
    }

    /// The bytes with their name; nil where there is no file.
    static func open(_ path: String) throws(PluginFailure) -> SourceFile? {
        do throws(FileError) {
            return SourceFile(path: path, bytes: try TextFile.read(path, most: YAMLReader.largestFile).bytes)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw PluginFailure("cannot read \(path): \(error.text)")
        }
    }

    /// Reads what is there now, changes it, and writes it: another host may have written meanwhile.
    /// - Parameter change: returns whether there is anything to write.
    static func change<Result>(
        _ path: String, _ change: (inout OverridesDocument) -> (Result, isChanged: Bool)
    ) throws(PluginFailure) -> Result {
        var document = try read(path) ?? OverridesDocument()
        let (result, isChanged) = change(&document)
        if isChanged { try write(document, to: path) }
        return result
    }

    /// Takes the file away; nothing where there is none.
    static func remove(_ path: String) throws(PluginFailure) {
        guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return flush(directory: path) }
        throw PluginFailure("cannot remove \(path): \(text(errno))")
    }

    /// Whoever reads `path`, also after the power went, finds the old file or the new one. GLib's own
    /// `g_file_set_contents_full` leaves a file with another name behind each time that it is killed: this one has one
    /// name, and the next write removes it.
    private static func write(_ document: OverridesDocument, to path: String) throws(PluginFailure) {
        // A link stays a link.
        let path = TextFile.identity(path)
        let directory = TextFile.directory(of: path)
        if !directory.isEmpty, g_mkdir_with_parents(directory, 0o700) != 0 {
            throw PluginFailure("cannot make the directory \(directory): \(text(errno))")
        }
        let draft = "\(path).new"
        unlink(draft)
        let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PluginFailure("cannot write \(draft): \(text(errno))") }
        let failure = fill(descriptor, Array(document.text.utf8))
        close(descriptor)
        if let failure {
            unlink(draft)
            throw PluginFailure("cannot write \(draft): \(text(failure))")
        }
        guard rename(draft, path) == 0 else {
            let failure = errno
            unlink(draft)
            throw PluginFailure("cannot replace \(path): \(text(failure))")
        }
        flush(directory: path)
    }

    /// Writes all of it down to the disk. Returns `errno` where that fails.
    private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0 ? nil : errno
    }

    /// A new name is on the disk when its directory is.
    private static func flush(directory path: String) {
        let directory = TextFile.directory(of: path)
        let descriptor = Glibc.open(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private static func place(_ diagnostic: Diagnostic, _ path: String) -> String {
        guard let span = diagnostic.span else { return path }
        return "\(path):\(span.start.line):\(span.start.column)"
    }

    private static func text(_ number: Int32) -> String { FileError(code: number).text }
}
