import Foundation

@testable import HostCore

/// Config files of one test in a directory of its own; messages name them without it.
struct TestFiles {
    let place: TemporaryDirectory

    init(_ files: [String: String]) throws {
        place = try TemporaryDirectory()
        for (name, text) in files { try write(text, to: name) }
    }

    func write(_ text: String, to name: String, mode: Int = 0o644) throws {
        let path = place.path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func load(
        _ name: String = "porch.yaml", _ environment: [String: String] = [:]
    ) -> (HostConfiguration?, [Diagnostic]) {
        ConfigurationLoader.load(path: place.path(name), environment: environment, catalog: TestCatalog())
    }

    /// Everything that is wrong, as a user in that directory sees it.
    func problems(_ name: String = "porch.yaml", _ environment: [String: String] = [:]) -> String {
        DiagnosticRenderer().render(load(name, environment).1).replacingOccurrences(of: place.path + "/", with: "")
    }
}
