internal import CGLib
internal import Glibc
import PluginKit

/// The file of a ring in memory, which whoever holds files for the process holds beyond its end.
enum RingMemfd {
    static let name = "ring"

    /// - Thread: main.
    static func open(_ host: Host, _ request: RingRequest) throws(PluginError) -> OpenedRing {
        let layout = try request.layout()
        var remarks: [String] = []
        if let taken = try take(host) {
            let file = try lock(taken)
            switch look(file, request) {
            case .opened(let opened): return opened
            case .obsolete(let why), .damaged(let why): remarks.append("what a former run kept is given up: \(why)")
            }
        }
        let file = mh_sealed_memory_file("mediahost-replay", Int64(layout.total))
        guard file >= 0 else {
            throw PluginError(
                "cannot make a file in memory: \(String(cString: strerror(errno)))", code: .failed, key: "storage")
        }
        do throws(PluginError) {
            try host.keepFile(name, file)
        } catch {
            close(file)
            throw error.code == .unsupported ? unsupported : error
        }
        guard let mapping = RingMapping(file: try lock(file), length: layout.total) else {
            throw RingDisk.noAddresses(request)
        }
        var opened = request.begin(RingPlace(mapping, layout))
        opened.remarks = remarks
        return opened
    }

    /// An instance that keeps its ring elsewhere now wants it no more.
    static func forget(_ host: Host) { try? host.dropFile(name) }

    private static func take(_ host: Host) throws(PluginError) -> Int32? {
        do throws(PluginError) {
            return try host.takeFile(name)
        } catch {
            throw error.code == .unsupported ? unsupported : error
        }
    }

    /// The same file, opened once more and locked: a lock on what is held by somebody else would be theirs, too.
    /// - Parameter file: owned from here on.
    private static func lock(_ file: Int32) throws(PluginError) -> Int32 {
        let own = Glibc.open("/proc/self/fd/\(file)", O_RDWR | O_CLOEXEC)
        // Without /proc nobody is kept out.
        guard own >= 0 else { return file }
        close(file)
        guard FileLock.take(own) == 0 else {
            close(own)
            throw PluginError(
                "what is kept in memory is in use by another process; end it, or give this instance another name or host "
                    + "a state directory of its own", code: .busy, key: "storage")
        }
        return own
    }

    private static var unsupported: PluginError {
        PluginError(
            "storage: memfd needs somebody who holds it when this process is killed: systemd (a unit as "
                + "packaging/systemd/mediahost.service), or a keeper process, for whose socket XDG_RUNTIME_DIR is to name a "
                + "directory; or use storage: disk",
            code: .unsupported, key: "storage")
    }

    /// - Parameter file: owned from here on.
    private static func look(_ file: Int32, _ request: RingRequest) -> RingRequest.Finding {
        var facts = stat()
        var words = [UInt64](repeating: 0, count: RingLayout.headerWords)
        let count = words.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        guard mh_is_sealed_memory_file(file) != 0, fstat(file, &facts) == 0, count == words.count * 8 else {
            close(file)
            return .damaged("it is no file in memory of a fixed size")
        }
        switch RingLayout.read(words, size: Int(facts.st_size)) {
        case .blank:
            close(file)
            return .damaged("its making was not finished")
        case .unusable(let why):
            close(file)
            return .damaged(why)
        case .layout(let layout):
            guard let mapping = RingMapping(file: file, length: layout.total) else {
                return .damaged("there is no room in the address space for it")
            }
            return request.look(RingPlace(mapping, layout))
        }
    }
}
