import PluginKit

extension RingDrops: PluginRecord {
    static let fields = Fields(
        RingDrops.init,
        Field("before_key_frame", \.withoutKey, "Frames before the first key frame of a run, or after a dropped one"),
        Field("oversized_gops", \.oversizedGOPs, "GOPs larger than all of the memory"),
        Field("oversized_frames", \.oversizedFrames, "Their frames"),
        Field("held_gops", \.heldGOPs, "GOPs that found no room because a save still held the oldest bytes"),
        Field("held_frames", \.heldFrames, "Their frames"))
}
