/// Checks a launch text against what GStreamer can make: elements, properties, links, names and references, all in one go.
public struct LaunchChecker {
    /// - Parameter catalog: nil leaves out what only GStreamer knows: elements, properties and formats.
    /// - Thread: any that may use the catalog.
    public static func check(_ launch: LaunchDescription, catalog: (any ElementCatalog)?) -> [Diagnostic] {
        var problems = Problems()
        if let catalog {
            checkElements(launch, catalog, &problems)
            checkURIs(launch, catalog, &problems)
            var links = LaunchLinkChecker(launch, catalog: catalog)
            links.check(&problems)
        }
        checkNames(launch, &problems)
        return problems.diagnostics
    }

    private static func checkElements(
        _ launch: LaunchDescription, _ catalog: any ElementCatalog, _ problems: inout Problems
    ) {
        let properties = LaunchPropertyChecker(launch: launch, catalog: catalog)
        for element in launch.elements {
            guard catalog.exists(element.factory) else {
                problems.error(
                    at: element.factorySpan, "no element \(quoted(element.factory))",
                    help: element.factory.utf8.last == UInt8(ascii: ":")
                        ? "a link needs a space before its \":\""
                        : DebianPackages.package(of: element.factory).map { "it comes with: apt install \($0)" },
                    suggestion: Suggestion.nearest(to: element.factory, among: catalog.factoryNames))
                continue
            }
            if element.isBin, !catalog.isBin(element.factory) {
                problems.error(
                    at: element.factorySpan, "\(quoted(element.factory)) is no bin: it holds no elements",
                    help: "a bin is written ( ... ) or bin.( ... )")
            }
            properties.check(element, &problems)
        }
    }

    private static func checkURIs(
        _ launch: LaunchDescription, _ catalog: any ElementCatalog, _ problems: inout Problems
    ) {
        for uri in launch.uris where catalog.factory(forURI: uri.text, isSink: uri.isSink) == nil {
            problems.error(
                at: uri.span, "no element \(uri.isSink ? "writes to" : "reads from") \(quoted(uri.text))",
                help: "a file is written as a URI: file:///path")
        }
    }

    private static func checkNames(_ launch: LaunchDescription, _ problems: inout Problems) {
        var first: [String: SourceSpan] = [:]
        for element in launch.elements {
            guard let name = element.name, let span = element.nameSpan else { continue }
            if let other = first[name] {
                problems.error(
                    at: span, "two elements are named \(quoted(name))",
                    help: "the first is at \(place(other, from: span))")
            } else {
                first[name] = span
            }
        }
        let names = launch.named().elements.map(\.name)
        for reference in launch.references where !names.contains(reference.element) {
            problems.error(
                at: reference.span, "no element named \(quoted(reference.element)) in this pipeline",
                help: "a reference needs an element with name=\(reference.element)",
                suggestion: Suggestion.nearest(to: reference.element, among: names))
        }
    }

    private static func place(_ span: SourceSpan, from other: SourceSpan) -> String {
        let start = span.start
        return span.file === other.file ? "line \(start.line), column \(start.column)" : span.description
    }
}
