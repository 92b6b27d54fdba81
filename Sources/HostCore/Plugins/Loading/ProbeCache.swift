/// What earlier probes found, by the file that was probed: as text, and what of it still counts.
///
/// Sound libraries are not probed again, dangerous ones are not tried again, until the file or the host is another.
struct ProbeCache: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var identity: LibraryIdentity
        /// Nanoseconds since 1970.
        var probed: Int64
        var outcome: Outcome
    }

    enum Outcome: Sendable, Equatable {
        case sound(LibraryFacts)
        case dangerous(ProbeFault)
    }

    private static let format: Int64 = 1
    /// More than any board has.
    private static let most = 256

    /// The version and ABI of the host that probed; another host's answers may differ.
    let host: String
    private(set) var entries: [Entry] = []

    init(host: String) { self.host = host }

    func entry(for identity: LibraryIdentity) -> Entry? { entries.first { $0.identity == identity } }

    /// Keeps one answer for each path, the newest ones where there are too many.
    mutating func keep(_ entry: Entry) {
        entries.removeAll { $0.identity.path == entry.identity.path }
        entries.insert(entry, at: 0)
        if entries.count > Self.most { entries.removeLast(entries.count - Self.most) }
    }

    // MARK: - Text

    var text: String {
        JSONText.render(
            ["format": .int(Self.format), "host": .string(host), "libraries": .list(entries.map(Self.value))],
            pretty: true) + "\n"
    }

    /// What is damaged, or another host's, is empty.
    init(text: String, host: String) {
        self.host = host
        guard let value = try? JSONText.parse(text), value["format"]?.int == Self.format,
            value["host"]?.string == host, let list = value["libraries"]?.list, list.count <= Self.most
        else { return }
        entries = list.compactMap(Self.entry)
    }

    /// Numbers of a file are texts: JSON's are doubles to many who might rewrite it.
    private static func value(_ entry: Entry) -> Value {
        var members: [Value.Member] = [
            .init("path", .string(entry.identity.path)), .init("device", .string(String(entry.identity.device))),
            .init("inode", .string(String(entry.identity.inode))),
            .init("modified_ns", .string(String(entry.identity.modifiedNanoseconds))),
            .init("bytes", .string(String(entry.identity.bytes))),
            .init("probed_ns", .string(String(entry.probed))),
        ]
        switch entry.outcome {
        case .sound(let facts): members.append(.init("sound", facts.value))
        case .dangerous(let fault):
            members.append(
                .init("quarantined", ["reason": .string(fault.text), "last_words": .string(fault.lastWords)]))
        }
        return .map(members)
    }

    private static func entry(_ value: Value) -> Entry? {
        func number<Number: FixedWidthInteger>(_ key: String, _ type: Number.Type) -> Number? {
            value[key]?.string.flatMap { Number($0) }
        }
        guard let path = value["path"]?.string, let device = number("device", UInt64.self),
            let inode = number("inode", UInt64.self), let modified = number("modified_ns", Int64.self),
            let bytes = number("bytes", Int64.self), let probed = number("probed_ns", Int64.self)
        else { return nil }
        let identity = LibraryIdentity(
            path: path, device: device, inode: inode, modifiedNanoseconds: modified, bytes: bytes)
        if let facts = value["sound"].flatMap(LibraryFacts.init) {
            return Entry(identity: identity, probed: probed, outcome: .sound(facts))
        }
        guard let fault = value["quarantined"], let text = fault["reason"]?.string,
            let words = fault["last_words"]?.string
        else { return nil }
        return Entry(
            identity: identity, probed: probed, outcome: .dangerous(ProbeFault(text: text, lastWords: words)))
    }
}
