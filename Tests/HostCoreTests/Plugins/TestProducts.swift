import Glibc

/// What the build puts beside this test bundle.
enum TestProducts {
    static let directory: String = {
        var path = [CChar](repeating: 0, count: 4097)
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
    }()

    static let replayBuffer = "\(directory)/libReplayBuffer.so"
}
