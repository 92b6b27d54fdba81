import PluginKit

/// What the config wants of a ring that outlives the process.
struct RingRequest {
    /// Of the file, in bytes.
    var total: Int
    /// Index entries that would be enough.
    var wantedFrames: Int
    /// Nanoseconds.
    var window: Int64
    /// The reference first.
    var pads: [String]
    /// Of the machine: another text after each boot.
    var boot: String
    /// The config's key for `total`.
    var key: String

    func layout() throws(PluginError) -> RingLayout {
        guard let layout = RingLayout(total: total, wanted: wantedFrames, window: window) else {
            if total > RingLayout.least {
                throw PluginError(
                    "\(key) is \(ByteSize.bytes(total)), more than any file can have", code: .limit, key: key)
            }
            throw PluginError(
                "\(key) is \(ByteSize.bytes(total)); a buffer that outlives the process needs \(ByteSize.bytes(RingLayout.least)) at least",
                code: .limit, key: key)
        }
        return layout
    }

    /// A ring in memory that was just made.
    func begin(_ place: RingPlace) -> OpenedRing {
        // A half-made file has no header: whoever finds it begins again.
        var commit = RingCommit()
        commit.counter = 1
        place.write(commit)
        var notes = NotesLog(place, boot: boot, pads: pads, counter: 0)
        notes.write(epoch: 0, TrackFormats(tracks: pads.count), EpochList(), GapList(), PauseList())
        place.writeHeader()
        return OpenedRing(place: place, recovery: nil, boot: boot, pads: pads)
    }

    enum Finding {
        case opened(OpenedRing)
        /// It can be made anew; the text says why it must be.
        case obsolete(String)
        case damaged(String)
    }

    /// What a former process left in a place.
    func look(_ place: RingPlace) -> Finding {
        // Where the kernel does not tell one boot from another each is another.
        switch RingRecovery.read(place, isAfterPowerCut: { $0.boot != boot || boot.isEmpty }) {
        case .damaged(let why): return .damaged(why)
        case .found(let found):
            guard place.layout.total == total / RingLayout.page * RingLayout.page else {
                return .obsolete("\(key) was \(ByteSize.bytes(place.layout.total)) and is \(ByteSize.bytes(total)) now")
            }
            guard found.notes.pads == pads else {
                return .obsolete(
                    "it was of \(found.notes.pads.joined(separator: ", ")) and is to be of \(pads.joined(separator: ", "))"
                )
            }
            var opened = OpenedRing(place: place, recovery: found, boot: boot, pads: pads)
            if found.lost > 0 {
                opened.remarks.append(
                    "\(found.lost) frame\(found.lost == 1 ? "" : "s") of a former run could not be kept: damaged, or not yet "
                        + "written when the power went")
            }
            return .opened(opened)
        }
    }
}
