/// The text of one file as a tree: YAML, or JSON in a file named so.
enum ConfigurationText {
    static func read(_ file: SourceFile, into problems: inout Problems) -> YAMLNode? {
        YAMLReader.read(file, into: &problems)
    }
}
