/// A plugin that works on GStreamer's own objects, for what nothing else here can do: signals, actions, pads on request.
///
/// It runs in the host's process only. A pipeline is built anew whenever it starts, so what is taken out of one build ends
/// with that build. The host owns the pipeline and its state, which stays as it is; `mediahost/gst.h` says what else.
/// GStreamer is the plugin's own import; `pipeline.assumingMemoryBound(to: GstElement.self)` is what it works on.
///
/// Thread: main, while active.
public protocol PipelineAccess: MediaPlugin {
    /// A pipeline was built, or was there already when this instance became active.
    /// - Parameter pipeline: a `GstPipeline`, borrowed until `released` has returned.
    func built(_ name: PipelineName, _ pipeline: UnsafeMutableRawPointer)

    /// It is about to go, or this instance is, and it may still be playing: remove probes and handlers, give back
    /// references. Follows each `built` once.
    func released(_ name: PipelineName, _ pipeline: UnsafeMutableRawPointer)
}
