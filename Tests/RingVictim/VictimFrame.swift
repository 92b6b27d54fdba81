import HostCore

/// The frames of a victim, for it and for whoever looks at what is left.
///
/// The test has a copy: it cannot import an executable.
enum VictimFrame {
    static let video = "cam/encoded.src"
    static let sound = "cam/voice.src"

    static func config(_ storage: String) -> Value {
        [
            "video": .string(video), "audio": [.string(sound)], "storage": .string(storage), "memory": "4MiB",
            "size": "4MiB", "window": "60s",
        ]
    }

    static func fill(_ bytes: inout [UInt8], _ number: UInt64, size: Int) {
        bytes.removeAll(keepingCapacity: true)
        for index in 0..<size {
            bytes.append(
                index < 8
                    ? UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))
                    : UInt8(truncatingIfNeeded: (UInt64(index) &* 31) ^ (number &* 131)))
        }
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    struct Random {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
