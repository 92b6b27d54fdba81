internal import Glibc

/// What a plugin is built from, found from where the running executable lies: the installed tree around it, or the checkout
/// that it was built in.
struct PluginMaterial: Equatable {
    /// The `mediahost` that the plugin's test asks.
    var executable: String
    var template: String
    /// The C headers.
    var include: String
    /// The Swift package.
    var kit: String

    static func find(for language: ScaffoldLanguage, executable: String) throws(PluginScaffold.Failure)
        -> PluginMaterial
    {
        var looked: [String] = []
        let ancestors = Self.ancestors(of: executable)
        // The parent of `bin` is the prefix of an installed tree.
        let prefix = ancestors.dropFirst().first ?? ""
        let installed = PluginMaterial(
            executable: executable, template: "\(prefix)/\(language.installed)", include: "\(prefix)/include",
            kit: "\(prefix)/share/mediahost/PluginKit")
        let checkouts = ancestors.map { root in
            PluginMaterial(
                executable: executable, template: "\(root)/\(language.example)",
                include: "\(root)/Sources/PluginABI/include", kit: "\(root)/packaging/PluginKit")
        }
        for candidate in [installed] + checkouts {
            let missing = candidate.needed(for: language).filter { access($0, R_OK) != 0 }
            if missing.isEmpty { return candidate }
            looked += missing
        }
        let places = looked.map { "\n  \($0)" }.joined()
        throw .init(
            text:
                "cannot find what a plugin in \(language.rawValue) is built from; `make install` puts it beside this program. "
                + "These are missing, and any checkout around it has none, either:\(places)")
    }

    private func needed(for language: ScaffoldLanguage) -> [String] {
        switch language {
        case .swift: [template, "\(kit)/Package.swift", "\(kit)/plugin.map"]
        case .c: [template, "\(include)/mediahost.h"]
        }
    }

    /// Every directory above a file, the nearest first, without the root.
    private static func ancestors(of file: String) -> [String] {
        var rest = file[...]
        var found: [String] = []
        while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
            rest = rest[..<slash]
            found.append(String(rest))
        }
        return found
    }
}
