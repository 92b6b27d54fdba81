/// The text of one file as a tree: YAML or JSON.
enum ConfigurationText {
    /// The tree, or nil where the text cannot be read or holds nothing.
    static func read(_ file: SourceFile, into problems: inout Problems) -> YAMLNode? {
        guard isReadable(file, &problems) else { return nil }
        if file.path.utf8.suffix(5).elementsEqual(".json".utf8) { return JSONReader.read(file, into: &problems) }
        // A `{` may begin either. What is wrong is said of YAML, which a hand would have written.
        if file.bytes.first(where: { !$0.isASCIISpace }) == UInt8(ascii: "{") {
            var found = Problems()
            let tree = JSONReader.read(file, into: &found)
            if let tree, !found.hasErrors { return tree }
        }
        return YAMLReader.read(file, into: &problems)
    }

    private static func isReadable(_ file: SourceFile, _ problems: inout Problems) -> Bool {
        guard file.bytes.count <= YAMLReader.largestFile else {
            problems.error(
                at: nil, "\(file.path) is too large",
                help: "a configuration file may have \(YAMLReader.largestFile) bytes")
            return false
        }
        if let offset = UTF8Check.firstInvalid(in: file.bytes) {
            problems.error(
                at: SourceSpan(file: file, range: offset..<offset + 1), "not valid UTF-8",
                help: "save the file as UTF-8")
            return false
        }
        return true
    }
}
