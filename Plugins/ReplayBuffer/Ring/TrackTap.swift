import PluginKit

/// The streaming side of one track but the reference, for which the store is the tap itself.
final class TrackTap: StreamTap {
    private let store: ReplayStore
    private let track: UInt8

    init(_ store: ReplayStore, track: UInt8) {
        self.store = store
        self.track = track
    }

    func format(_ id: UInt32, caps: Span<UInt8>) { store.format(caps, of: track) }
    func buffer(_ buffer: borrowing StreamBuffer) { store.append(buffer, track) }
}
