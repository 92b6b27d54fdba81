/// What the ring's index knows of one access unit: 48 bytes.
///
/// Times are nanoseconds of media time.
struct Frame {
    /// Where its bytes are in the slab.
    var position: UInt64 = 0
    var pts: Int64 = 0
    /// `Frame.none` where there is none.
    var dts: Int64 = Frame.none
    /// `Frame.none` where there is none.
    var duration: Int64 = Frame.none
    var size: UInt32 = 0
    /// Of a key frame: how many frames its GOP has so far, itself and the other tracks' included. Of another: how far back
    /// its key frame is.
    var link: UInt32 = 0
    /// The run of the pipeline it came from.
    var epoch: UInt32 = 0
    /// The ring's own number of the caps.
    var format: UInt16 = 0
    /// 0 is the reference, whose key frames begin the GOPs.
    var track: UInt8 = 0
    /// Any value is one: an index that is read back may be damaged.
    private var flags: UInt8 = 0

    /// Begins a GOP; frames of other tracks never do.
    var isKey: Bool {
        get { flags & 1 != 0 }
        set { flags = newValue ? 1 : 0 }
    }

    static let none = Int64.min
}
