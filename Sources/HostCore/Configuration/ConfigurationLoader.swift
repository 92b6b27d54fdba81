internal import CGLib
internal import Glibc

/// From a file to a checked configuration, or to everything that is wrong with it.
///
/// ```swift
/// let (configuration, diagnostics) = ConfigurationLoader.load(path: "porch.yaml", environment: [:], catalog: catalog)
/// print(DiagnosticRenderer().render(diagnostics))
/// guard let configuration else { return }
/// ```
/// - Thread: any; reads the file and asks the catalog, so not the control thread.
public enum ConfigurationLoader {
    /// - Parameters:
    ///   - environment: values for `${NAME}` that `vars:` does not have.
    ///   - catalog: what GStreamer can make; nil leaves elements and properties unchecked.
    /// - Returns: the configuration where nothing is wrong with it, and all errors and warnings in the file's order.
    public static func load(
        path: String, environment: [String: String], catalog: (any ElementCatalog)?
    ) -> (HostConfiguration?, [Diagnostic]) {
        let bytes: [UInt8]
        do {
            bytes = try read(path)
        } catch {
            let help = error.code == ENOENT ? "give the path of a configuration file" : nil
            return (nil, [Diagnostic(.error, at: nil, "cannot read \(path): \(error.text)", help: help)])
        }
        return load(SourceFile(path: path, bytes: bytes), environment: environment, catalog: catalog)
    }

    /// The same for a file that is read already.
    public static func load(
        _ file: SourceFile, environment: [String: String], catalog: (any ElementCatalog)?
    ) -> (HostConfiguration?, [Diagnostic]) {
        var problems = Problems()
        let start = SourceSpan(file: file, range: 0..<0)
        guard let written = YAMLReader.read(file, into: &problems) else {
            if !problems.hasErrors {
                problems.error(at: start, "the file is empty", help: "begin it with mediahost: 1")
            }
            return (nil, problems.inFileOrder)
        }
        var expander = VariableExpander(vars: written["vars"], environment: environment)
        var tree = written
        if let entries = written.entries {
            tree.content = .map(
                entries.map { entry in
                    guard entry.key != "vars" else { return entry }
                    return YAMLEntry(key: entry.key, keySpan: entry.keySpan, value: expander.expand(entry.value))
                })
        }
        problems.merge(expander.problems)
        var draft = ConfigurationFields.Draft()
        draft.catalog = catalog
        ConfigurationFields.file.decode(tree, subject: "the file", place: start, into: &draft, problems: &problems)
        return (problems.hasErrors ? nil : draft.configuration, problems.inFileOrder)
    }

    private struct ReadError: Error {
        var code: Int32
        var text: String
    }

    /// At most one byte more than a file may have: the reader says it is too large.
    private static func read(_ path: String) throws(ReadError) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw failure(ENOENT) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= YAMLReader.largestFile {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno)
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private static func failure(_ code: Int32) -> ReadError {
        ReadError(code: code, text: g_strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
}
