internal import CGLib
internal import Glibc
import PluginKit

/// The file of a ring on a disk: found or made, and locked against a second host.
enum RingDisk {
    static let name = "ring"

    /// - Thread: main; file work.
    static func open(in directory: String, _ request: RingRequest) throws(PluginError) -> OpenedRing {
        let layout = try request.layout()
        let path = "\(directory)/\(name)"
        var remarks: [String] = []
        // What is set aside is followed by a new one.
        for _ in 0..<2 {
            let file = try lock(path)
            let size = self.size(file)
            let words = header(file)
            if size == 0 || words.allSatisfy({ $0 == 0 }) {
                return try make(file, path, layout, request, remarks)
            }
            switch RingLayout.read(words, size: size) {
            case .blank: return try make(file, path, layout, request, remarks)
            case .unusable(let why):
                remarks.append(try setAside(file, path, why))
            case .layout(let known):
                try reserve(file, path, known.total, isNew: false, request)
                guard let mapping = RingMapping(file: file, length: known.total) else { throw noAddresses(request) }
                let place = RingPlace(mapping, known)
                switch request.look(place) {
                case .opened(var opened):
                    opened.remarks = remarks + opened.remarks
                    return opened
                case .obsolete(let why):
                    remarks.append("what was kept in \(path) is given up: \(why)")
                    let copy = mh_file_copy(file)
                    guard copy >= 0 else { throw failure("open", path) }
                    return try make(copy, path, layout, request, remarks)
                case .damaged(let why):
                    remarks.append(try setAside(mh_file_copy(file), path, why))
                }
            }
        }
        throw PluginError(
            "cannot use \(path): it is damaged each time it is made; is the disk in order?", key: "storage")
    }

    /// - Returns: a file that this process has alone.
    private static func lock(_ path: String) throws(PluginError) -> Int32 {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("open", path) }
        let error = FileLock.take(file)
        guard error == 0 else {
            close(file)
            guard error == EWOULDBLOCK else { throw failure("lock", path, error) }
            throw PluginError(
                "\(path) is in use by another process; end it, or give this instance another name or host a state "
                    + "directory of its own", code: .busy, key: "storage")
        }
        return file
    }

    /// - Parameter file: owned from here on; all in it goes.
    private static func make(
        _ file: Int32, _ path: String, _ layout: RingLayout, _ request: RingRequest, _ remarks: [String]
    ) throws(PluginError) -> OpenedRing {
        guard ftruncate(file, 0) == 0 else {
            let error = errno
            close(file)
            throw failure("empty", path, error)
        }
        try reserve(file, path, layout.total, isNew: true, request)
        guard let mapping = RingMapping(file: file, length: layout.total) else { throw noAddresses(request) }
        var opened = request.begin(RingPlace(mapping, layout))
        opened.remarks = remarks
        return opened
    }

    /// Room for all of it, now: a mapping that finds none later ends the process.
    private static func reserve(
        _ file: Int32, _ path: String, _ size: Int, isNew: Bool, _ request: RingRequest
    ) throws(PluginError) {
        let error = mh_file_reserve(file, Int64(size))
        guard error != 0 else { return }
        if isNew { unlink(path) }
        close(file)
        switch error {
        case ENOSPC, EDQUOT, EFBIG:
            throw PluginError(
                "there is no room for \(path), \(ByteSize.bytes(size)): \(String(cString: strerror(error))); free some, or give "
                    + "\(request.key) a smaller size", code: .limit, key: request.key)
        case EOPNOTSUPP, ENOSYS:
            throw PluginError(
                "the file system of \(path) cannot reserve room for a file, so a full disk would end the process; use "
                    + "ext4, XFS, Btrfs or F2FS, or storage: memfd", code: .unsupported, key: "storage")
        default: throw failure("reserve room for", path, error)
        }
    }

    /// Out of the way, under a name that is there once.
    /// - Parameter file: owned from here on.
    private static func setAside(_ file: Int32, _ path: String, _ why: String) throws(PluginError) -> String {
        let result = rename(path, "\(path).set-aside")
        let error = errno
        if file >= 0 { close(file) }
        guard result == 0 else { throw failure("set aside", path, error) }
        return "\(path) cannot be used: \(why); it is \(path).set-aside now, and a new one begins"
    }

    private static func size(_ file: Int32) -> Int {
        var facts = stat()
        return fstat(file, &facts) == 0 ? Int(facts.st_size) : 0
    }

    private static func header(_ file: Int32) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: RingLayout.headerWords)
        let count = words.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        return count == words.count * 8 ? words : Array(words.prefix(max(0, count) / 8))
    }

    private static func failure(_ what: String, _ path: String, _ error: Int32 = errno) -> PluginError {
        PluginError("cannot \(what) \(path): \(String(cString: strerror(error)))", key: "storage")
    }

    static func noAddresses(_ request: RingRequest) -> PluginError {
        PluginError(
            "cannot map \(ByteSize.bytes(request.total)) for the buffer; give \(request.key) a smaller size",
            code: .limit,
            key: request.key)
    }
}
