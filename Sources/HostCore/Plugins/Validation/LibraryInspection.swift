/// What a library's file says, read and not run.
enum LibraryInspection {
    /// Older linkers leave them in every library.
    private static let linkers: Set<String> = ["_init", "_fini", "_edata", "_end", "__bss_start", "__data_start"]

    static func verdict(_ path: String, notes: inout [String]) -> TrialVerdict {
        do throws(PluginFailure) {
            let needed = try LibraryFile.check(path)
            if !needed.isEmpty { notes.append("needs \(needed.joined(separator: ", "))") }
        } catch {
            return .failed([
                TrialFault(
                    error.message, expected: "a shared library that is a plugin", fix: error.help ?? "build it again")
            ])
        }
        guard let file = FileBytes(path), let reader = try? ELFReader(file) else {
            return .broken("cannot read \(path)")
        }
        var faults: [TrialFault] = []
        if reader.hasTextRelocations {
            faults.append(
                TrialFault(
                    "has relocations in its code", expected: "code that is mapped once and not written to",
                    fix: "compile everything in it with -fPIC"))
        }
        if reader.hasExecutableStack {
            faults.append(
                TrialFault(
                    "asks for an executable stack", expected: "a stack without code",
                    fix: "link with -z noexecstack; no nested functions whose address is taken"))
        }
        let exported = ((try? reader.exportedNames()) ?? []).filter {
            $0 != LibraryFile.entrySymbol && !linkers.contains($0)
        }
        if !exported.isEmpty {
            let some = exported.prefix(5).joined(separator: ", ") + (exported.count > 5 ? ", ..." : "")
            notes.append(
                "warning: exports \(exported.count) symbol\(exported.count == 1 ? "" : "s") besides "
                    + "\(LibraryFile.entrySymbol): \(some); compile with -fvisibility=hidden, or link with a version script"
            )
        }
        return faults.isEmpty ? .passed : .failed(faults)
    }
}
