import PluginKit

/// The instance's numbers for `/metrics`.
struct ReplayMetrics: Sendable {
    private var frames: Gauge?
    private var bytes: Gauge?
    private var seconds: Gauge?
    private var saved: Counter?
    private var failed: Counter?
    private var withoutKey: Counter?
    private var oversized: Counter?
    private var held: Counter?
    private var segments: Counter?
    private var shown = RingDrops()

    /// - Throws: what the host says against a metric; where it has none at all, there are none.
    init(_ host: Host) throws(PluginError) {
        do throws(PluginError) {
            frames = try host.gauge("frames", help: "Frames that are kept.")
            bytes = try host.gauge("kept", unit: "bytes", help: "Size of the frames that are kept.")
            seconds = try host.gauge("kept", unit: "seconds", help: "From the oldest frame to the newest.")
            let help = "Clips that were asked for."
            saved = try host.counter("clips", help: help, labels: ["result": "saved"])
            failed = try host.counter("clips", help: help, labels: ["result": "failed"])
            let loss = "Frames that could not be kept."
            withoutKey = try host.counter("lost_frames", help: loss, labels: ["why": "no-key-frame"])
            oversized = try host.counter("lost_frames", help: loss, labels: ["why": "oversized"])
            held = try host.counter("lost_frames", help: loss, labels: ["why": "held"])
            segments = try host.counter("window_segments", help: "Segments of the window that were made for players.")
        } catch {
            guard error.code == .unsupported else { throw error }
        }
    }

    /// - Thread: main.
    mutating func show(_ status: RingStatus) {
        frames?.set(Double(status.frames))
        bytes?.set(Double(status.bytes))
        seconds?.set(Double(status.newest - status.oldest) / 1e9)
        let drops = status.drops
        withoutKey?.add(Double(drops.withoutKey - shown.withoutKey))
        oversized?.add(Double(drops.oversizedFrames - shown.oversizedFrames))
        held?.add(Double(drops.heldFrames - shown.heldFrames))
        shown = drops
    }

    /// - Thread: any.
    func count(saved isSaved: Bool) { (isSaved ? saved : failed)?.add() }

    /// - Thread: any.
    func countSegment() { segments?.add() }
}
