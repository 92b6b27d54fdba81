/// What `dlopen` complains of, as something to do about it.
///
/// The texts are glibc's. One that is not known is passed on as it is.
enum LoaderMessage {
    static func explain(_ text: String, of path: String) -> PluginFailure {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        if text.utf8.containsText("cannot open shared object file"), let library = words.first?.dropLast(),
            !library.isEmpty, library != path
        {
            return missing(String(library), path)
        }
        if let index = words.firstIndex(of: "symbol:"), index > 0, words[index - 1] == "undefined",
            index + 1 < words.count
        {
            let symbol = words[index + 1].split(separator: ",").first.map(String.init) ?? words[index + 1]
            return PluginFailure(
                "cannot load \(path): it needs the symbol \(symbol), which none of the libraries it names has",
                help: "link it with the library that has \(symbol); `ldd -r \(path)` lists all that is missing")
        }
        if let start = text.firstIndex(of: "`"), let end = text[start...].firstIndex(of: "'"),
            text[end...].utf8.starts(with: "' not found (required by ".utf8)
        {
            let version = text[text.index(after: start)..<end]
            return PluginFailure(
                "cannot load \(path): it needs version \(version) of \(words.first?.dropLast() ?? "a library"), which is "
                    + "newer than the one here",
                help: "build it on the system it is to run on, or on an older one")
        }
        if text.utf8.containsText("failed to map segment") {
            return PluginFailure(
                "cannot load \(path): \(text)", help: "is its file system mounted with noexec? (`findmnt -T \(path)`)")
        }
        return PluginFailure("cannot load \(path): \(text)", help: "`ldd -r \(path)` says what it needs")
    }

    private static func missing(_ library: String, _ path: String) -> PluginFailure {
        let package = debianPackage(of: library).map { "; in Debian its package is likely \($0)" } ?? ""
        return PluginFailure(
            "cannot load \(path): it needs the library \(library), which is not here",
            help: "install it\(package); `ldd \(path)` lists all that is missing")
    }

    /// `libfoo.so.6` is in `libfoo6`, `libfoo-2.so.1` in `libfoo-2-1`: the rule of Debian's policy, which most packages follow.
    static func debianPackage(of library: String) -> String? {
        let parts = library.split(separator: ".").map(String.init)
        guard library.utf8.starts(with: "lib".utf8), let mark = parts.firstIndex(of: "so"), mark > 0,
            mark + 1 < parts.count
        else { return nil }
        let name = parts[..<mark].joined(separator: ".")
        let version = parts[(mark + 1)...].joined(separator: ".")
        let separator = name.utf8.last.map { $0.isASCIIDigit } == true ? "-" : ""
        return "\(name)\(separator)\(version)".lowercased().split(separator: "_").joined(separator: "-")
    }
}

extension String.UTF8View {
    /// Whether a text is somewhere in it.
    func containsText(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        var rest = self[...]
        while let found = rest.firstIndex(of: first) {
            rest = rest[found...]
            if rest.starts(with: wanted) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
