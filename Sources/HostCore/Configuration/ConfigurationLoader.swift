internal import Glibc

/// From a file to a checked configuration, or to everything that is wrong with it.
///
/// ```swift
/// let (configuration, diagnostics) = ConfigurationLoader.load(path: "porch.yaml", environment: [:], catalog: catalog)
/// print(DiagnosticRenderer().render(diagnostics))
/// guard let configuration else { return }
/// ```
/// The steps: the file and what it includes become one tree; variables and secrets are put in; templates are filled in;
/// the tables of `ConfigurationFields` make values of it; what was saved at run time is put over it. Each adds to the problems, none stops at the first.
/// - Thread: any; reads the files and asks the catalog, so not the control thread.
public enum ConfigurationLoader {
    /// - Parameters:
    ///   - environment: values for `${NAME}` that `vars:` does not have, and `CREDENTIALS_DIRECTORY`.
    ///   - catalog: what GStreamer can make; nil leaves elements and properties unchecked.
    /// - Returns: the configuration where nothing is wrong with it, and all errors and warnings, file by file in their
    ///   order. No secret is in them.
    public static func load(
        path: String, environment: [String: String], catalog: (any ElementCatalog)?
    ) -> (HostConfiguration?, [Diagnostic]) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try TextFile.read(path, most: YAMLReader.largestFile, mayWait: true).bytes
        } catch {
            let help = error.code == ENOENT ? "give the path of a configuration file" : nil
            return (nil, [Diagnostic(.error, at: nil, "cannot read \(path): \(error.text)", help: help)])
        }
        return load(SourceFile(path: path, bytes: bytes), environment: environment, catalog: catalog)
    }

    /// The same for a file that is read already; what it includes is read.
    public static func load(
        _ file: SourceFile, environment: [String: String], catalog: (any ElementCatalog)?
    ) -> (HostConfiguration?, [Diagnostic]) {
        var reader = IncludeReader(environment: environment)
        let start = SourceSpan(file: file, range: 0..<0)
        let written = reader.read(file)
        var problems = reader.problems
        guard let written else {
            if !problems.hasErrors {
                problems.error(at: start, "the file is empty", help: "begin it with mediahost: 1")
            }
            return (nil, problems.inOrder(of: reader.files))
        }
        var builder = TreeBuilder(written, environment: environment)
        let tree = builder.build()
        problems.merge(builder.problems)
        var draft = ConfigurationFields.Draft(catalog: catalog, templateUses: builder.templateUses)
        ConfigurationFields.file.decode(tree, subject: "the file", place: start, into: &draft, problems: &problems)
        var configuration = draft.configuration
        for index in configuration.plugins.indices {
            configuration.plugins[index].searchPath = configuration.pluginPath
        }
        RuleCheck.references(configuration.rules, names: configuration.knownNames, &problems)
        RuleCheck.fields(configuration.rules, &problems)
        configuration.secrets = SecretMask(builder.secrets)
        configuration.overridesFile =
            configuration.overridesFile ?? OverridesFile.defaultPath(environment: environment)
        configuration.tree = tree
        let overrides = OverridesApplication.apply(to: &configuration, catalog: catalog, &problems)
        let files = reader.files + (overrides.map { [$0] } ?? [])
        configuration.files = files.map(\.path)
        let diagnostics = configuration.secrets.mask(problems.inOrder(of: files))
        return (problems.hasErrors ? nil : configuration, diagnostics)
    }
}
