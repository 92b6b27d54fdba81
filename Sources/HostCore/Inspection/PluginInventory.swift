internal import GStreamerKit
internal import Glibc

/// Every plugin library that a host would find, and whether it would load it.
public struct PluginInventory: Sendable {
    public struct Module: Sendable, Equatable {
        enum State: String, Sendable, Equatable {
            case ok, quarantined, broken
        }

        var name: String
        var file: String
        var origin: PluginSearch.Origin?
        var state: State
        /// Why it would not be loaded.
        var failure: PluginFailure?
        /// Nanoseconds since 1970, where it was quarantined in an earlier run.
        var since: Int64?
        /// Nil where it is not ok, or could not be probed.
        var facts: LibraryFacts?
        /// What the dynamic loader brings with it, as the file says.
        var libraries: [String] = []
    }

    var places: [PluginSearch.Place]
    var modules: [Module]

    init(places: [PluginSearch.Place], modules: [Module]) {
        self.places = places
        self.modules = modules
    }

    /// Tries what is not known.
    /// - Thread: worker, or a process that has nothing else to do.
    public static func gather(_ gate: PluginGate) -> PluginInventory {
        let modules = gate.search.modules().compactMap { name in
            (try? gate.search.file(of: name)).map { module(name, $0, gate) }
        }
        return PluginInventory(places: gate.search.places, modules: modules)
    }

    /// One library, by its name or its path.
    public static func module(_ name: String, _ gate: PluginGate) throws(PluginFailure) -> Module {
        let isFile = name.utf8.suffix(3).elementsEqual(".so".utf8) && !name.utf8.contains(UInt8(ascii: "/"))
        return module(name, try gate.search.file(of: isFile ? "./\(name)" : name), gate)
    }

    private static func module(_ name: String, _ file: String, _ gate: PluginGate) -> Module {
        let origin = gate.search.places.first { file == "\($0.path)/lib\(name).so" }?.origin
        var module = Module(name: name, file: file, origin: origin, state: .ok)
        module.libraries = (try? LibraryFile.check(file)) ?? []
        switch gate.standing(of: file) {
        case .sound(let facts): module.facts = facts
        case .broken(let failure):
            module.state = .broken
            module.failure = failure
        case .quarantined(let failure, let since):
            module.state = .quarantined
            module.failure = failure
            module.since = since == 0 ? nil : since
        }
        return module
    }

    // MARK: - For scripts

    public var value: Value {
        [
            "directories": .list(
                places.map {
                    [
                        "path": .string($0.path), "origin": .string($0.origin.rawValue),
                        "exists": .bool(access($0.path, R_OK | X_OK) == 0),
                    ]
                }),
            "modules": .list(modules.map(\.value)),
        ]
    }

    // MARK: - For people

    public func render() -> String {
        guard !modules.isEmpty else {
            let looked = places.map { "\n  \($0.path) (\($0.origin.rawValue))" }.joined()
            return "no plugin found in" + (looked.isEmpty ? " any directory" : ":\(looked)")
        }
        let rows =
            [["MODULE", "STATE", "VERSION", "FILE"]]
            + modules.map { module in
                [
                    module.name, module.state.rawValue,
                    module.facts?.descriptors.first?.version ?? "-", module.file,
                ]
            }
        var lines: [String] = []
        for (index, row) in TextTable.lines(rows).enumerated() {
            lines.append(row)
            guard index > 0, let failure = modules[index - 1].failure else { continue }
            lines.append("    \(failure.message)")
            if let help = failure.help { lines.append("    do: \(help)") }
        }
        return lines.joined(separator: "\n")
    }
}

extension PluginInventory.Module {
    public var isUsable: Bool { state == .ok }

    public var value: Value {
        var members: [Value.Member] = [
            .init("name", .string(name)), .init("file", .string(file)), .init("state", .string(state.rawValue)),
        ]
        if let origin { members.append(.init("origin", .string(origin.rawValue))) }
        if let failure {
            members.append(.init("reason", .string(failure.message)))
            members.append(.init("help", failure.help.map { .string($0) } ?? .null))
        }
        if let since { members.append(.init("quarantined_ns", .int(since))) }
        if let facts {
            members.append(.init("abi", .string(facts.abi)))
            members.append(.init("built_with", .string(facts.builtWith)))
            members.append(.init("libraries", .list(libraries.map { .string($0) })))
            members.append(.init("plugins", .list(facts.descriptors.map(\.readableValue))))
        }
        return .map(members)
    }

    /// All of it, the keys of its config as a table.
    public func render() -> String {
        var lines = TextTable.lines([["file", file], ["state", state.rawValue]])
        if let failure {
            lines += ["reason  \(failure.message)"]
            if let help = failure.help { lines += ["do      \(help)"] }
        }
        if state == .ok, facts == nil { lines += ["it could not be probed: nothing more is known"] }
        guard let facts else { return lines.joined(separator: "\n") }
        lines += TextTable.lines([
            ["ABI", "\(facts.abi), built with \(facts.builtWith)"],
            ["needs", libraries.isEmpty ? "no other library" : libraries.joined(separator: ", ")],
        ])
        for descriptor in facts.descriptors { lines += [""] + descriptor.sheet }
        return lines.joined(separator: "\n")
    }
}

extension PluginDescriptor {
    /// With its schema as JSON, not as text.
    var readableValue: Value {
        guard let schema = configSchema.flatMap({ try? JSONText.parse($0) }), case .map(let members) = value else {
            return value
        }
        return .map(members.map { $0.key == "schema" ? .init("schema", schema) : $0 })
    }

    fileprivate var sheet: [String] {
        var rows = [["\(name) \(version)", id], ["", summary]]
        if !vendor.isEmpty { rows.append(["vendor", vendor]) }
        if !license.isEmpty { rows.append(["license", license]) }
        if !requires.isEmpty { rows.append(["requires", requires.joined(separator: ", ")]) }
        if !optional.isEmpty { rows.append(["optional", optional.joined(separator: ", ")]) }
        if flags != 0 { rows.append(["flags", "0x\(String(flags, radix: 16))"]) }
        let lines = TextTable.lines(rows)
        let keys = (configSchema.flatMap { try? ValueSchema(json: $0) })?.keys ?? []
        guard !keys.isEmpty else { return lines + ["", "it takes no keys in the config"] }
        let table = keys.map { key in
            let choices =
                key.choices.isEmpty ? key.limits.map { " (\($0))" } ?? "" : " (\(key.choices.joined(separator: ", ")))"
            return [
                key.path, key.type + choices, key.isRequired ? "required" : key.defaultText ?? "-", key.summary,
            ]
        }
        return lines + [""] + TextTable.lines([["KEY", "TYPE", "DEFAULT", "MEANING"]] + table)
    }
}
