/// Checks a launch text against what GStreamer can make: elements, properties, names and references, all in one go.
public struct LaunchChecker {
    /// - Parameter catalog: nil leaves out what only GStreamer knows: elements and properties.
    /// - Thread: any that may use the catalog.
    public static func check(_ launch: LaunchDescription, catalog: (any ElementCatalog)?) -> [Diagnostic] {
        var problems = Problems()
        if let catalog { checkElements(launch, catalog, &problems) }
        checkNames(launch, &problems)
        return problems.diagnostics
    }

    private static func checkElements(
        _ launch: LaunchDescription, _ catalog: any ElementCatalog, _ problems: inout Problems
    ) {
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
            guard let known = catalog.propertyNames(of: element.factory) else { continue }
            for property in element.properties where property.key != "name" && !isChildPath(property.key) {
                if known.contains(property.key) { continue }
                let nearest = Suggestion.nearest(to: property.key, among: known)
                problems.error(
                    at: property.keySpan,
                    "no property \(quoted(property.key)) in element \(quoted(element.factory))",
                    help: nearest == nil ? "gst-inspect-1.0 \(element.factory) lists its properties" : nil,
                    suggestion: nearest)
            }
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

    /// `child::property` is settled when the child exists.
    private static func isChildPath(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        return bytes.indices.dropLast().contains { bytes[$0] == ":" && bytes[$0 + 1] == ":" }
    }
}
