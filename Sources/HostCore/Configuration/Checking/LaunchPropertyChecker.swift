internal import GStreamerKit

/// Checks the properties of a launch text's elements: whether they are there, can be set, and take these values.
struct LaunchPropertyChecker {
    let launch: LaunchDescription
    let catalog: any ElementCatalog

    func check(_ element: LaunchElement, _ problems: inout Problems) {
        for property in element.properties where property.key != "name" { check(property, of: element, &problems) }
        for preset in element.presets { check(preset, of: element, &problems) }
    }

    private func check(_ property: LaunchProperty, of element: LaunchElement, _ problems: inout Problems) {
        let factory = element.factory
        // `child::property` is settled when the child exists.
        if Self.isChildPath(property.key), catalog.hasChildren(factory) { return }
        guard let known = catalog.property(property.key, of: factory) else {
            let nearest = Suggestion.nearest(to: property.key, among: catalog.propertyNames(of: factory) ?? [])
            problems.error(
                at: property.keySpan, "no property \(quoted(property.key)) in element \(quoted(factory))",
                help: nearest == nil ? "gst-inspect-1.0 \(factory) lists its properties" : nil, suggestion: nearest)
            return
        }
        let subject = "\(quoted(property.key)) of \(quoted(factory))"
        guard known.isWritable else {
            problems.error(at: property.keySpan, "\(subject) cannot be set", help: "it is read-only")
            return
        }
        if element.isBin, known.isConstructOnly {
            problems.error(
                at: property.keySpan, "\(subject) cannot be set here", help: "it is fixed when the bin is made")
            return
        }
        check(property, as: known, subject, element, &problems)
    }

    private func check(
        _ property: LaunchProperty, as known: ElementProperty, _ subject: String, _ element: LaunchElement,
        _ problems: inout Problems
    ) {
        let verdict = PropertyText.verdict(
            on: property.value, for: known, of: element.factory, catalog: catalog)
        guard verdict != .taken else { return }
        if known.kind == .caps, let problem = capsProblem(property) {
            problems.add(problem)
            return
        }
        if case .flags(let nicks) = known.kind, let problem = flagProblem(property, subject, nicks) {
            problems.add(problem)
            return
        }
        let wrong = PropertyText.problem(with: property.value, as: known.kind, verdict)
        problems.error(
            at: property.valueSpan, "\(subject) \(wrong.message)", help: wrong.help, suggestion: wrong.suggestion)
    }

    /// Points at the first flag that is none.
    private func flagProblem(_ property: LaunchProperty, _ subject: String, _ nicks: [String]) -> Diagnostic? {
        let (bytes, offsets) = LaunchValue.decode(launch.text.bytes, property.valueRange)
        for part in bytes.indices.split(whereSeparator: { bytes[$0] == "+" }) {
            let flag = String(decoding: bytes[part.startIndex..<part.endIndex], as: UTF8.self)
            if nicks.contains(flag) { continue }
            let wrong = PropertyText.problem(with: flag, as: .flags(nicks), .unreadable)
            return Diagnostic(
                .error, at: launch.text.span(offsets[part.startIndex]..<offsets[part.endIndex - 1] + 1),
                "\(subject) \(wrong.message)", help: wrong.help, suggestion: wrong.suggestion)
        }
        return nil
    }

    /// Points at the part of the caps that cannot be read.
    private func capsProblem(_ property: LaunchProperty) -> Diagnostic? {
        let (bytes, offsets) = LaunchValue.decode(launch.text.bytes, property.valueRange)
        guard let problem = CapsText(bytes).problem(canRead: { catalog.caps($0) != nil }) else { return nil }
        let end = property.valueRange.upperBound
        let first = problem.range.lowerBound < offsets.count ? offsets[problem.range.lowerBound] : end
        let last = problem.range.isEmpty ? first : offsets[problem.range.upperBound - 1] + 1
        return Diagnostic(
            .error, at: launch.text.span(first..<last), problem.message, help: problem.help,
            suggestion: problem.suggestion)
    }

    private func check(_ preset: LaunchPreset, of element: LaunchElement, _ problems: inout Problems) {
        guard let names = catalog.presets(of: element.factory) else {
            problems.error(at: preset.span, "\(quoted(element.factory)) takes no presets")
            return
        }
        guard !names.contains(preset.name), !preset.name.isEmpty else { return }
        let isQuoted = preset.name.utf8.first == UInt8(ascii: "\"")
        problems.error(
            at: preset.span, "no preset \(quoted(preset.name)) in element \(quoted(element.factory))",
            help: isQuoted
                ? "a preset takes no quotes: a space in its name is written \"\\ \""
                : names.isEmpty ? "it has none" : "presets: \(names.joined(separator: ", "))",
            suggestion: isQuoted ? nil : Suggestion.nearest(to: preset.name, among: names))
    }

    private static func isChildPath(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        return bytes.indices.dropLast().contains { bytes[$0] == ":" && bytes[$0 + 1] == ":" }
    }
}
