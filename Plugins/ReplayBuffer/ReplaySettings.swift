package import PluginKit

/// What the user wrote, with the defaults of what they left out.
package struct ReplaySettings: PluginRecord, Equatable {
    let video: PadName
    let audio: [PadName]
    let output: ElementName?
    let outputAudio: ElementName?
    let window: Duration
    let storage: StorageKind
    /// Slab and index together; with `disk` it is `size`.
    let memory: ByteSize
    let size: ByteSize

    package static let fields = Fields(
        ReplaySettings.init,
        Field("video", \.video, "The pad whose encoded video is kept: pipeline/element.pad"),
        Field("audio", \.audio, default: [], "Pads of the same pipeline whose sound is kept with it, 31 at most"),
        Field("output", \.output, "An appsrc that gets the pictures where the viewer is: pipeline/element"),
        Field(
            "output-audio", \.outputAudio,
            "An appsrc of the same pipeline that gets the first of audio with them: pipeline/element"),
        Field(
            "window", \.window, default: .seconds(60), limits: .atLeast(.nanoseconds(1)),
            "How much is kept at least, once it was recorded; whole GOPs, so usually a little more"),
        Field(
            "storage", \.storage, default: .memory,
            "Where it is kept: memory (of the process), memfd (memory that outlives the process) or disk"
        ),
        Field(
            "memory", \.memory, default: .mebibytes(256), limits: .atLeast(.mebibytes(1)), reserves: true,
            "What is kept never takes more than this; then it covers less than window"),
        Field(
            "size", \.size, default: .gibibytes(1), limits: .atLeast(.mebibytes(4)),
            "With storage: disk, how large the file is, in place of memory"))

    /// Sound has a number in the index, and a bit in a mask.
    static let audioLimit = 31

    /// Index entries: 240 pictures and, for each sound, 120 packets a second for the whole window.
    var wantedFrames: Int {
        let seconds = min(window.wholeNanoseconds / 1_000_000_000 + 1, 1_000_000)
        return Int(clamping: seconds * Int64(240 + 120 * audio.count) + 1024)
    }

    /// Never more than an eighth of the memory.
    var frameCapacity: Int { min(wantedFrames, memory.bytes / 8 / MemoryLayout<Frame>.stride) }

    var slabBytes: Int {
        let segments = GOPRing.segmentCapacity(window: window.wholeNanoseconds, frames: frameCapacity)
        return memory.bytes - frameCapacity * MemoryLayout<Frame>.stride - segments * SegmentTable.stride
    }
}
