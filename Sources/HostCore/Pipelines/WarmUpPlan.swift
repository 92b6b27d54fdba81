internal import GStreamerKit

/// Where and how long a build warms up.
struct WarmUpPlan {
    /// Of each camera.
    var pads: [Pad]
    var frames: Int
    /// Whether it is for raw frames alone: nobody asked for it, and an encoder's first frames are what the rest is decoded with.
    var isForRawOnly: Bool
    /// The source pads of microphones and the like.
    var sound: [Pad]

    private init(_ pads: [Pad], _ wanted: WarmUp?, in pipeline: Pipeline) {
        self.pads = pads
        frames = wanted?.frames ?? Self.cameraFrames
        isForRawOnly = wanted == nil
        sound = CaptureDevices.sound(of: pipeline).compactMap { $0.pad(named: "src") }
    }

    /// Whether raw media pass; where nobody asked for a warm-up, pictures: a source that may be a camera may be a microphone.
    func isRaw(_ caps: Caps?) -> Bool { caps.map { $0.isRaw && (!isForRawOnly || $0.isVideo) } ?? false }

    /// Dark raw frames a camera gives after it was opened (the product's original number).
    static let cameraFrames = 3

    /// Nil where there is nothing to drop.
    static func make(for description: PipelineDescription, _ pipeline: Pipeline) throws(PipelineFailure) -> WarmUpPlan?
    {
        let wanted = description.warmUp
        if let wanted, wanted.frames == 0 { return nil }
        if let at = wanted?.at {
            guard let pad = pipeline.element(named: at.element)?.pad(named: at.pad) else {
                throw PipelineFailure(
                    code: "no-such-pad", element: at.element,
                    message: "warm-up: pipeline \(description.name) has no pad \"\(at.element).\(at.pad)\"")
            }
            return WarmUpPlan([pad], wanted, in: pipeline)
        }
        let pads = CaptureDevices.cameras(of: pipeline).compactMap { $0.pad(named: "src") }
        guard let wanted else {
            // Sound is not kept back for a camera that is told to encode.
            let raw = pads.filter(\.mayCarryRaw)
            return raw.isEmpty ? nil : WarmUpPlan(raw, nil, in: pipeline)
        }
        guard !pads.isEmpty else {
            throw PipelineFailure(
                code: "no-such-pad",
                message:
                    "warm-up: pipeline \(description.name) has no camera to drop \(wanted.frames) frames of; say where "
                    + "with `at: element.pad`")
        }
        return WarmUpPlan(pads, wanted, in: pipeline)
    }
}
