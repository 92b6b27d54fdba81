import Foundation
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// A ring in memory without a file, as a process left it, for tests of what the next one finds.
struct StoredRing {
    static let boot = "this boot"
    let mapping: RingMapping
    let layout: RingLayout

    init(total: Int = 4 << 20, frames: Int = 1000, window: Int64 = 3600 * second) throws {
        layout = try #require(RingLayout(total: total, wanted: frames, window: window))
        mapping = try #require(RingMapping(file: -1, length: layout.total))
    }

    var place: RingPlace { RingPlace(mapping, layout) }

    static func request(total: Int, tracks: Int = 1, boot: String = boot) -> RingRequest {
        RingRequest(
            total: total, wantedFrames: 1000, window: 3600 * second,
            pads: (0..<tracks).map { $0 == 0 ? "cam/v.src" : "cam/a\($0).src" }, boot: boot, key: "size")
    }

    func begin(tracks: Int = 1) -> OpenedRing { Self.request(total: layout.total, tracks: tracks).begin(place) }

    /// What another process would see now: a copy of all of it.
    func copy() throws -> StoredRing {
        let copy = try StoredRing(self)
        memcpy(copy.mapping.base, mapping.base, mapping.length)
        return copy
    }

    private init(_ other: StoredRing) throws {
        layout = other.layout
        mapping = try #require(RingMapping(file: -1, length: layout.total))
    }

    /// As a host finds it: by its header.
    func look(tracks: Int = 1, boot: String = boot) -> RingRequest.Finding {
        let words = (0..<RingLayout.headerWords).map { mapping.base.load(fromByteOffset: $0 * 8, as: UInt64.self) }
        switch RingLayout.read(words, size: mapping.length) {
        case .blank: return .damaged("blank")
        case .unusable(let why): return .damaged(why)
        case .layout(let known):
            return Self.request(total: layout.total, tracks: tracks, boot: boot).look(RingPlace(mapping, known))
        }
    }

    func opened(tracks: Int = 1, boot: String = boot) throws -> OpenedRing {
        guard case .opened(let opened) = look(tracks: tracks, boot: boot) else {
            throw NotThere(description: "\(look(tracks: tracks, boot: boot))")
        }
        return opened
    }

    struct NotThere: Error, CustomStringConvertible { var description: String }
}

extension ReplayStore {
    convenience init(_ opened: OpenedRing, window: Int64 = 3600 * second) {
        self.init(opened, window: window, clocks: { WallTimes() }, notify: {})
    }
}

/// Whether figures of this build say anything.
var isOptimised: Bool {
    var isDebug = false
    assert(
        {
            isDebug = true
            return true
        }())
    return !isDebug
}
