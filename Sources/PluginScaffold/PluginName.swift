/// What a new plugin is called, and what follows from it.
public struct PluginName: Sendable, Equatable {
    /// The name is not one that directories, libraries and Swift modules can all have.
    public struct Refused: Error, Sendable, Equatable {
        public var text: String
    }

    /// As given: `door-bell`.
    public let text: String
    /// The name of the library and of the Swift module: `DoorBell`.
    public let module: String

    public init(_ text: String) throws(Refused) {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, Self.isLetter(first) else {
            throw Refused(text: "the name of a plugin begins with a letter (a to z), not as in \"\(text)\"")
        }
        guard bytes.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") }) else {
            throw Refused(text: "the name of a plugin has letters (a to z), digits and -, not as in \"\(text)\"")
        }
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        guard words.allSatisfy({ !$0.isEmpty }) else {
            throw Refused(text: "a - stands between two words of a plugin's name, not as in \"\(text)\"")
        }
        guard bytes.count <= Self.longest else {
            throw Refused(text: "the name of a plugin has at most \(Self.longest) letters; this one has \(bytes.count)")
        }
        let module = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        guard !Self.taken.contains(module) else {
            throw Refused(text: "\(module) is the name of something that a plugin is made of; choose another one")
        }
        self.text = text
        self.module = module
    }

    private static let longest = 64

    /// Modules that the package would hide from itself; `Media` because its class would be called `MediaPlugin`.
    private static let taken: Set<String> = [
        "Builtin", "CThreadSanitizer", "Cxx", "Dispatch", "Distributed", "Foundation", "FoundationEssentials", "Glibc",
        "Locking", "Media", "Observation", "PluginABI", "PluginKit", "RegexBuilder", "Swift", "Synchronization",
        "Testing",
        "XCTest",
    ]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
