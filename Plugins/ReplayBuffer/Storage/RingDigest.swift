/// Checksums that find damage; nobody is kept from forging them.
///
/// Multiply and shift, as in the finalizer of SplitMix64 (Steele, Lea, Flood 2014): an odd factor and a right shift can both
/// be undone, so no two values of a word have the same result.
enum RingDigest {
    private static var factor: UInt64 { 0x9e37_79b9_7f4a_7c15 }

    @inline(__always) static func mix(_ digest: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (digest ^ word) &* factor
        return mixed ^ (mixed >> 29)
    }

    static func of(_ words: some Sequence<UInt64>) -> UInt64 { words.reduce(factor) { mix($0, $1) } }

    /// Four lanes of eight bytes, so that the processor multiplies all the time.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var (a, b, c, d) = (factor, factor &+ 1, factor &+ 2, factor &+ 3)
        var place = 0
        let end = bytes.count & ~31
        while place < end {
            a = mix(a, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            b = mix(b, bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
            c = mix(c, bytes.loadUnaligned(fromByteOffset: place + 16, as: UInt64.self))
            d = mix(d, bytes.loadUnaligned(fromByteOffset: place + 24, as: UInt64.self))
            place += 32
        }
        while place < bytes.count {
            a = mix(a, UInt64(bytes[place]))
            place += 1
        }
        return mix(mix(mix(mix(a, b), c), d), UInt64(bytes.count))
    }

    /// Of an index entry but for its link, which changes and is found again from the others.
    static func of(_ frame: Frame, at sequence: UInt64, _ bytes: UInt32) -> UInt32 {
        var digest = mix(sequence, frame.position)
        digest = mix(digest, UInt64(bitPattern: frame.pts))
        digest = mix(digest, UInt64(bitPattern: frame.dts))
        digest = mix(digest, UInt64(bitPattern: frame.duration))
        digest = mix(digest, UInt64(frame.size) | UInt64(frame.epoch) << 32)
        digest = mix(digest, UInt64(frame.format) | UInt64(frame.track) << 16 | UInt64(frame.isKey ? 1 : 0) << 24)
        digest = mix(digest, UInt64(bytes))
        return UInt32(truncatingIfNeeded: digest >> 32)
    }
}
