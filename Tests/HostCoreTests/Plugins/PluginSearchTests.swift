import Foundation
import Testing

@testable import HostCore

/// Which file a module is.
@Suite struct PluginSearchTests {
    private let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    private func put(_ name: String) throws {
        let path = place.path(name)
        let directory = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try "x".write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func plugin(_ module: String, _ searchPath: [String] = []) -> PluginDescription {
        let file = SourceFile(path: "x.yaml", bytes: [])
        let span = SourceSpan(file: file, range: 0..<0)
        return PluginDescription(
            name: "it", module: module, searchPath: searchPath, config: YAMLNode(.map([]), span: span),
            location: span, keySpan: span)
    }

    @Test func configIsBeforeTheEnvironmentAndTheUserIsLast() throws {
        for name in ["own/libA.so", "named/libA.so", "named/libB.so", "home/.local/lib/mediahost/plugins/libB.so"] {
            try put(name)
        }
        try put("home/.local/lib/mediahost/plugins/libC.so")
        let search = PluginSearch(
            environment: [
                "MEDIAHOST_PLUGIN_PATH": "\(place.path("none")):\(place.path("named"))", "HOME": place.path("home"),
            ])
        #expect(search.places.map(\.origin) == [.environment, .environment, .executable, .installation, .user])
        #expect(try search.file(of: plugin("A", [place.path("own")])) == place.path("own/libA.so"))
        #expect(try search.file(of: plugin("A")) == place.path("named/libA.so"))
        #expect(try search.file(of: plugin("B")) == place.path("named/libB.so"))
        #expect(
            try search.file(of: plugin("C")) == place.path("home/.local/lib/mediahost/plugins/libC.so"))
        #expect(try search.file(of: plugin(place.path("named/libB.so"))) == place.path("named/libB.so"))
        #expect(Set(search.modules()).isSuperset(of: ["A", "B", "C"]))
    }

    @Test func whereThereIsNoneEveryPlaceAndTheNearestNameAreSaid() throws {
        try put("named/libCamera.so")
        let search = PluginSearch(directories: [place.path("named")])
        let failure = #expect(throws: PluginFailure.self) { try search.file(of: plugin("Camrea", ["/own"])) }
        #expect(
            failure?.message
                == "no plugin \"Camrea\": there is no libCamrea.so in /own (plugin-path), "
                + "\(place.path("named")) (MEDIAHOST_PLUGIN_PATH)")
        #expect(failure?.help == "did you mean \"Camera\"?")
    }

    @Test func homeThatIsNoPathIsNoPlace() {
        for home in ["", "relative"] {
            #expect(!PluginSearch(environment: ["HOME": home]).places.contains { $0.origin == .user })
        }
    }
}
