internal import GStreamerKit

/// What a configuration needs from GStreamer: every kind of element it uses, and where that comes from.
///
/// ```swift
/// let requirements = ElementRequirements.of(configuration)
/// for element in requirements.elements where !element.isPresent { print(element.factory, element.package ?? "?") }
/// ```
public struct ElementRequirements: Sendable, Equatable {
    public struct Element: Sendable, Equatable {
        public var factory: String
        /// The pipelines that use it, in the file's order.
        public var pipelines: [String]
        public var isPresent: Bool
        /// The GStreamer plugin that brings it, where it is present.
        public var plugin: String?
        /// The Debian 12 package that brings it, where known; nil for the elements of GStreamer's core.
        public var package: String?
    }

    /// In the order of their first use.
    public var elements: [Element]

    /// The packages that bring what is missing, each once, sorted.
    public var missingPackages: [String] {
        Array(Set(elements.filter { !$0.isPresent }.compactMap(\.package))).sorted()
    }

    /// Asks this machine's registry; GStreamer must have been started.
    /// - Thread: any; may load plugins, so not the control thread while it has other work.
    public static func of(_ configuration: HostConfiguration) -> ElementRequirements {
        of(configuration, catalog: RegistryCatalog())
    }

    /// Reads a file for what it needs, also where that is missing here.
    /// - Returns: nil where the file has errors, and all that is wrong with it.
    /// - Thread: main; starts GStreamer.
    public static func load(
        _ path: String, environment: [String: String]
    ) throws(PluginFailure) -> (requirements: ElementRequirements?, diagnostics: [Diagnostic]) {
        do {
            try GStreamer.start()
        } catch {
            throw PluginFailure(error.description)
        }
        // Without a catalog a missing element is no error.
        let (configuration, found) = ConfigurationLoader.load(path: path, environment: environment, catalog: nil)
        return (configuration.map { of($0) }, found)
    }

    static func of(_ configuration: HostConfiguration, catalog: any ElementCatalog) -> ElementRequirements {
        var elements: [Element] = []
        for pipeline in configuration.pipelines {
            for factory in factories(of: pipeline.launch, catalog) {
                if let index = elements.firstIndex(where: { $0.factory == factory }) {
                    if !elements[index].pipelines.contains(pipeline.name) {
                        elements[index].pipelines.append(pipeline.name)
                    }
                    continue
                }
                elements.append(
                    Element(
                        factory: factory, pipelines: [pipeline.name], isPresent: catalog.exists(factory),
                        plugin: catalog.plugin(of: factory), package: DebianPackages.package(of: factory)))
            }
        }
        return ElementRequirements(elements: elements)
    }

    /// Those written, those of filters, and those that GStreamer takes for URIs.
    private static func factories(of launch: LaunchDescription, _ catalog: any ElementCatalog) -> [String] {
        launch.elements.map(\.factory) + (launch.filters.isEmpty ? [] : ["capsfilter"])
            + launch.uris.compactMap { catalog.factory(forURI: $0.text, isSink: $0.isSink) }
    }

    /// For scripts.
    public var value: Value {
        .map([
            .init("elements", .list(elements.map(Self.value(of:)))),
            .init("packages", .list(missingPackages.map { .string($0) })),
        ])
    }

    private static func value(of element: Element) -> Value {
        .map([
            .init("element", .string(element.factory)),
            .init("present", .bool(element.isPresent)),
            .init("plugin", element.plugin.map { .string($0) } ?? .null),
            .init("package", element.package.map { .string($0) } ?? .null),
            .init("pipelines", .list(element.pipelines.map { .string($0) })),
        ])
    }
}
