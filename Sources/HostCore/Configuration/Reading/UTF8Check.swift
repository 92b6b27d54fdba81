/// Finds the first byte that is not UTF-8, or that text must not hold.
enum UTF8Check {
    static func firstInvalid(in bytes: [UInt8]) -> Int? {
        var index = 0
        while index < bytes.count {
            let length = sequenceLength(bytes, at: index)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// 1...4, or 0 where no valid sequence begins. Overlong forms, surrogates and values past U+10FFFF are invalid.
    private static func sequenceLength(_ bytes: [UInt8], at index: Int) -> Int {
        let first = bytes[index]
        let length: Int
        var lowest: UInt8 = 0x80
        var highest: UInt8 = 0xBF
        switch first {
        case 0..<0x80: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if first == 0xE0 as UInt8 { lowest = 0xA0 }
            if first == 0xED as UInt8 { highest = 0x9F }
        case 0xF0...0xF4:
            length = 4
            if first == 0xF0 as UInt8 { lowest = 0x90 }
            if first == 0xF4 as UInt8 { highest = 0x8F }
        default: return 0
        }
        guard index + length <= bytes.count, (lowest...highest).contains(bytes[index + 1]) else { return 0 }
        for offset in 2..<max(2, length) where !bytes[index + offset].isUTF8Continuation { return 0 }
        return length
    }
}
