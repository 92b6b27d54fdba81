import Locking
import PluginKit

/// A plugin without settings, which keeps buffers beyond their call.
final class Keeper: MediaPlugin {
    struct Amount: PluginRecord {
        let count: Int
        static let fields = Fields(Amount.init, Field("count", \.count, default: 1, "How many"))
    }

    struct Sizes: PluginRecord {
        let sizes: [Int]
        static let fields = Fields(Sizes.init, Field("sizes", \.sizes, "Bytes of each"))
    }

    static let descriptor = PluginDescriptor(
        id: "org.example.keeper", name: "Keeper", version: "1.0.0", summary: "Keeps buffers.",
        requires: [.commands, .tap])

    private let host: Host
    private let tap = KeeperTap()

    init(host: Host, settings: NoFields) throws(PluginError) { self.host = host }

    func activate() throws(PluginError) { try host.attachTap("cam/encoded.src", tap) }

    var commands: [Command] {
        [
            Command("drop", summary: "Gives the oldest back.", run: drop),
            Command("first", summary: "Says how large the first ones are.", run: first),
            Command("clear", summary: "Gives all back.") { [tap] in tap.kept.withLock { $0.removeAll() } },
        ]
    }

    private func drop(_ amount: Amount) throws(PluginError) {
        guard amount.count <= tap.kept.withLock({ $0.count }) else {
            throw PluginError("cannot drop \(amount.count): there are fewer", code: .limit)
        }
        tap.kept.withLock { $0.removeFirst(amount.count) }
    }

    private func first(_ amount: Amount) -> Sizes {
        Sizes(sizes: tap.kept.withLock { $0.prefix(amount.count).map(\.byteCount) })
    }
}

final class KeeperTap: StreamTap {
    let kept = Locked<[KeptBuffer]>([])

    func buffer(_ buffer: borrowing StreamBuffer) {
        guard let retained = buffer.retain() else { return }
        let box = KeptBuffer(retained)
        kept.withLock { $0.append(box) }
    }
}

final class KeptBuffer: Sendable {
    private let buffer: RetainedBuffer

    init(_ buffer: consuming RetainedBuffer) { self.buffer = buffer }

    var byteCount: Int { buffer.withBuffer { $0.byteCount } }
}
