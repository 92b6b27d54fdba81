/// One tap of an instance: what stands behind an `mh_tap_1`.
@HostActor
final class PluginTap {
    private let pipeline: PipelineController
    var tap: Tap?
    private var isEnding = false

    init(_ pipeline: PipelineController) { self.pipeline = pipeline }

    /// The handle the plugin holds; compared, never dereferenced.
    var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    func isOn(_ other: PipelineController) -> Bool { pipeline === other && !isEnding }

    /// `detached` follows.
    func end() {
        isEnding = true
        if let tap { pipeline.detach(tap) }
    }
}
