import Glibc
import Testing

@testable import ReplayBuffer

let second: Int64 = 1_000_000_000

/// Bytes that no other frame has at the same place.
func pattern(_ number: Int, _ size: Int) -> [UInt8] {
    // It comes again each 256 bytes: sanitizers make single ones dear.
    let part = (0..<256).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ (number &* 131) ^ (number >> 8)) }
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
        guard let start = bytes.baseAddress else { return }
        for place in stride(from: 0, to: size, by: part.count) {
            memcpy(start + place, part, min(part.count, size - place))
        }
        count = size
    }
}

extension GOPRing {
    static func make(bytes: Int, frames: Int = 1000, window: Int64 = 3600 * second, tracks: Int = 1) throws -> GOPRing {
        GOPRing(slab: try #require(ByteSlab(capacity: bytes)), frameCapacity: frames, window: window, tracks: tracks)
    }

    /// One frame of `step` after another.
    @discardableResult
    mutating func append(
        _ number: Int, size: Int, key: Bool, step: Int64 = second / 10, format: UInt16 = 1
    ) -> Outcome {
        var frame = Frame()
        frame.pts = Int64(number) * step
        frame.duration = step
        frame.isKey = key
        frame.format = format
        let bytes = pattern(number, size)
        return append(bytes.span.bytes, frame)
    }

    /// One frame of another track, at a time in tenths of a second.
    @discardableResult
    mutating func appendSound(_ number: Int, size: Int = 10, track: UInt8 = 1, at tenths: Int64) -> Outcome {
        var frame = Frame()
        (frame.pts, frame.duration, frame.track) = (tenths * second / 10, second / 10, track)
        let bytes = pattern(number, size)
        return append(bytes.span.bytes, frame)
    }

    /// The number of each frame, oldest first; checks its bytes.
    borrowing func numbers(step: Int64 = second / 10) -> [Int] {
        var numbers: [Int] = []
        var scratch: [UInt8] = []
        var sequence = tail
        while sequence < head {
            let frame = self[sequence]
            let number = Int(frame.pts / step)
            let bytes = slab.withBytes(at: frame.position, count: Int(frame.size), scratch: &scratch) { [UInt8]($0) }
            numbers.append(bytes == pattern(number, Int(frame.size)) ? number : -1)
            sequence += 1
        }
        return numbers
    }
}

/// `#expect` takes no call on a value that cannot be copied.
func check(
    _ outcome: GOPRing.Outcome, _ expected: GOPRing.Outcome, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome == expected, sourceLocation: sourceLocation)
}
