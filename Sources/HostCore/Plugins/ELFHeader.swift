internal import Glibc

/// The first bytes of a shared library, looked at before the loader maps it: a wrong file gets a message, not a crash.
enum ELFHeader {
    /// Checks that a file is a shared library for this machine.
    static func check(_ path: String) throws(PluginFailure) {
        let header = try read(path)
        guard header.starts(with: [0x7f, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")]) else {
            throw PluginFailure("\(path) is no shared library: it does not begin like an ELF file")
        }
        let own = try read("/proc/self/exe")
        // e_ident[EI_CLASS], e_ident[EI_DATA] and e_machine (elf(5)).
        guard header[4] == own[4], header[5] == own[5], header[18] == own[18], header[19] == own[19] else {
            throw PluginFailure(
                "\(path) was built for another machine (\(machine(header)), this is \(machine(own)))",
                help: "build it for this machine")
        }
        guard header[16] == 3 else { throw PluginFailure("\(path) is an ELF file, but no shared library") }
    }

    private static func read(_ path: String) throws(PluginFailure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw PluginFailure("cannot read \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(file, &header, header.count)
        guard count == header.count else { throw PluginFailure("\(path) is no shared library: it is too short") }
        return header
    }

    private static func machine(_ header: [UInt8]) -> String {
        switch (header[18], header[4]) {
        case (62, _): "x86_64"
        case (183, _): "aarch64"
        case (40, _): "arm"
        case (243, 1): "riscv32"
        case (243, _): "riscv64"
        case (3, _): "i386"
        case (let other, _): "machine \(other)"
        }
    }
}
