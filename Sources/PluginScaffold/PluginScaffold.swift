internal import HostCore

/// `mediahost plugin new`: a package that builds at once, outside the tree.
///
/// The templates are examples as they stand; the names and the three paths in them are the placeholders.
public struct PluginScaffold: Sendable {
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        public var text: String
        public var description: String { text }
    }

    /// The example's own words, for which the plugin's are put in.
    private enum Placeholder {
        static let name = "frame-counter"
        static let module = "FrameCounter"
        static let kit = "/usr/local/share/mediahost/PluginKit"
        static let executable = "/usr/local/bin/mediahost"
        static let include = "/usr/local/include"
    }

    private let name: PluginName
    private let language: ScaffoldLanguage
    private let material: PluginMaterial

    /// Finds what it needs from where the running `mediahost` lies.
    /// - Thread: worker, or a process that has nothing else to do.
    public init(_ name: PluginName, in language: ScaffoldLanguage) throws(Failure) {
        let executable = try Directory.target(of: "/proc/self/exe")
        self.name = name
        self.language = language
        material = try .find(for: language, executable: executable)
        // They are written into a Makefile and into Swift, where these would mean something else.
        let odd = executable.first { "\"\\$#'`:\n".contains($0) }
        if let odd {
            throw Failure(
                text: "the path of this program, \(executable), has a \(odd), which a Makefile cannot; move it")
        }
    }

    /// Writes the package into a directory that is new or empty.
    /// - Returns: the files, relative to it.
    public func write(to directory: String) throws(Failure) -> [String] {
        try Directory.create(directory)
        guard try Directory.names(directory).isEmpty else {
            throw Failure(text: "\(directory) has files already and is left alone: --directory names another one")
        }
        let words = TemplateText([
            (Placeholder.kit, material.kit), (Placeholder.executable, material.executable),
            (Placeholder.include, material.include), (Placeholder.name, name.text), (Placeholder.module, name.module),
        ])
        var written: [String] = []
        for file in try Directory.files(material.template) {
            guard let text = try Directory.text("\(material.template)/\(file)") else { continue }
            let path = words.fill(file)
            if let slash = path.lastIndex(of: "/") { try Directory.create("\(directory)/\(path[..<slash])") }
            do throws(OutputFile.Failure) {
                try OutputFile.write(words.fill(text), to: "\(directory)/\(path)", replacing: false)
            } catch {
                switch error {
                case .exists: throw Failure(text: "\(directory)/\(path) exists and is left alone")
                case .cannot(let text): throw Failure(text: text)
                }
            }
            written.append(path)
        }
        return written
    }

    /// How it is built and looked at, in its directory.
    public var nextSteps: String {
        switch language {
        case .swift: "swift build -c release && mediahost plugin info .build/release/lib\(name.module).so"
        case .c: "make test"
        }
    }
}
