internal import Glibc

/// Reads a file and all that it includes into one tree; every piece knows which file it is from.
///
/// ```
/// include: conf.d/*.yaml          # sorted by name; nothing there is fine
/// include: [base.yaml, local.yaml]
/// ```
/// Later files win over earlier ones, and the file that includes wins over what it includes.
/// - Thread: any that may do I/O.
struct IncludeReader {
    /// Files that include files.
    static let deepest = 8
    /// Files read, each as often as it is included.
    static let mostFiles = 100

    private struct Link {
        var path: String
        var identity: String
    }

    /// One file that an `include` names.
    private struct Wanted {
        var path: String
        /// As written: a path or a pattern.
        var text: String
        var span: SourceSpan
    }

    private let environment: [String: String]
    private(set) var problems = Problems()
    /// In the order they were read, the entry first.
    private(set) var files: [SourceFile] = []
    private var known: [String: SourceFile] = [:]
    private var reads = 0
    private var bytes = 0

    init(environment: [String: String]) { self.environment = environment }

    /// The tree, without its `include`; nil where the file holds nothing.
    mutating func read(_ file: SourceFile) -> YAMLNode? {
        bytes = file.bytes.count
        return read(file, chain: [Link(path: file.path, identity: TextFile.identity(file.path))])
    }

    private mutating func read(_ file: SourceFile, chain: [Link]) -> YAMLNode? {
        if !files.contains(where: { $0 === file }) { files.append(file) }
        guard var tree = ConfigurationText.read(file, into: &problems) else { return nil }
        guard let entries = tree.entries else { return tree }
        tree.content = .map(entries.filter { $0.key != "include" })
        guard let include = tree.entries.flatMap({ _ in entries.first { $0.key == "include" } }) else { return tree }
        var expander = VariableExpander(vars: tree["vars"], environment: environment)
        let wanted = expander.expand(include.value)
        problems.merge(expander.problems)
        var base: YAMLNode?
        for included in paths(wanted) {
            guard let lower = read(included, chain: chain) else { continue }
            base = base?.merged(with: lower) ?? lower
        }
        return base?.merged(with: tree) ?? tree
    }

    /// The files that an `include` names, patterns filled in.
    private mutating func paths(_ node: YAMLNode) -> [Wanted] {
        if node.isNull { return [] }
        guard node.text != nil || node.items != nil else {
            problems.error(at: node.span, "\"include\" must be a path or a list of paths, not \(node.kind)")
            return []
        }
        var result: [Wanted] = []
        for item in node.items ?? [node] {
            guard let text = item.text(for: "include", &problems) else { continue }
            let file = item.span.file.path
            guard text.utf8.contains(where: { "*?[".utf8.contains($0) }) else {
                result.append(Wanted(path: TextFile.resolve(text, beside: file), text: text, span: item.span))
                continue
            }
            let isAbsolute = text.utf8.first == UInt8(ascii: "/")
            let pattern = (isAbsolute ? "" : Self.escaped(TextFile.directory(of: file))) + text
            do throws(FileError) {
                result += try TextFile.matches(pattern).map { Wanted(path: $0, text: text, span: item.span) }
            } catch {
                problems.error(at: item.span, "cannot look for \(quoted(text)): \(error.text)")
            }
        }
        return result
    }

    /// Signs of patterns in a directory's own name mean themselves.
    private static func escaped(_ directory: String) -> String {
        String(
            decoding: directory.utf8.flatMap { "*?[\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] },
            as: UTF8.self)
    }

    private mutating func read(_ wanted: Wanted, chain: [Link]) -> YAMLNode? {
        let path = wanted.path
        let span = wanted.span
        let link = Link(path: path, identity: TextFile.identity(path))
        let route = (chain.map(\.path) + [path]).joined(separator: " includes ")
        if chain.contains(where: { $0.identity == link.identity }) {
            problems.error(at: span, "\(quoted(path)) includes itself", help: route)
            return nil
        }
        guard chain.count <= Self.deepest else {
            problems.error(
                at: span, "includes are nested more than \(Self.deepest) deep", help: route)
            return nil
        }
        reads += 1
        guard reads <= Self.mostFiles else {
            if reads == Self.mostFiles + 1 {
                problems.error(
                    at: span, "too many includes", help: "a configuration may have \(Self.mostFiles) included files")
            }
            return nil
        }
        guard let file = open(link, wanted), let tree = read(file, chain: chain + [link]) else { return nil }
        guard let entries = tree.entries else {
            problems.error(at: tree.span, "an included file must be a map, not \(tree.kind)")
            return nil
        }
        // The version is that of the file that is loaded; an included one may say it, and must say the same.
        if let version = entries.first(where: { $0.key == "mediahost" })?.value, !version.isNull {
            ConfigurationFields.checkVersion(version, &problems)
        }
        return YAMLNode(.map(entries.filter { $0.key != "mediahost" }), span: tree.span)
    }

    private mutating func open(_ link: Link, _ wanted: Wanted) -> SourceFile? {
        if let file = known[link.identity] { return file }
        do throws(FileError) {
            let content = try TextFile.read(link.path, most: YAMLReader.largestFile).bytes
            bytes += content.count
            guard bytes <= YAMLReader.largestFile else {
                problems.error(
                    at: wanted.span, "the configuration is too large with \(quoted(link.path))",
                    help: "a configuration may have \(YAMLReader.largestFile) bytes, included files counted in")
                return nil
            }
            let file = SourceFile(path: link.path, bytes: content)
            known[link.identity] = file
            return file
        } catch {
            report(error, wanted)
            return nil
        }
    }

    private mutating func report(_ error: FileError, _ wanted: Wanted) {
        var help: String?
        var nearest: String?
        switch error.code {
        case ENOENT:
            help = "a path is seen from the file that includes it; a pattern, as in conf.d/*.yaml, may match nothing"
            let directory = TextFile.directory(of: wanted.path)
            let name = String(wanted.path.dropFirst(directory.count))
            nearest = Suggestion.nearest(to: name, among: TextFile.names(in: directory))
                .map { TextFile.directory(of: wanted.text) + $0 }
        case EISDIR: help = "a pattern takes the files of a directory: \(wanted.text)/*.yaml"
        default: break
        }
        problems.error(
            at: wanted.span, "cannot read \(quoted(wanted.path)): \(error.text)", help: help, suggestion: nearest)
    }
}
