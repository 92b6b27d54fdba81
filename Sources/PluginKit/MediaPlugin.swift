/// A plugin class. One object is one instance of the config.
///
/// ```swift
/// final class FrameCounter: MediaPlugin {
///     struct Settings: PluginRecord {
///         let video: PadName
///         static let fields = Fields(Settings.init, Field("video", \.video, "The pad whose frames are counted"))
///     }
///     struct Count: PluginRecord {
///         let frames: Int
///         static let fields = Fields(Count.init, Field("frames", \.frames, "Since the start"))
///     }
///     static let descriptor = PluginDescriptor(
///         id: "org.example.frame-counter", name: "Frame counter", version: "1.0.0", summary: "Counts frames.",
///         requires: [.tap, .commands])
///     private let host: Host
///     private let settings: Settings
///     private let frames = FrameCount()  // a StreamTap
///
///     init(host: Host, settings: Settings) throws(PluginError) { (self.host, self.settings) = (host, settings) }
///     func activate() throws(PluginError) { try host.attachTap(settings.video, frames) }
///     var commands: [Command] { [Command("count", summary: "Says how many frames have passed.", run: count)] }
///     private func count() -> Count { Count(frames: frames.count) }
/// }
///
/// @c @implementation public func mh_plugin_entry_1() -> UnsafePointer<mh_entry_1>? {
///     PluginEntry.entry(for: FrameCounter.self)
/// }
/// ```
/// The config that goes with it: `counter: { module: FrameCounter, video: cam/encoded.src }`. A plugin that takes no keys
/// declares no `Settings` and has `init(host: Host, settings: NoFields)`.
///
///           init               activate
///     ─────────────▶ ready ◀──────────────▶ active
///                      │      deactivate
///                      ▼ deinit
///
/// All calls come on the host's control thread, one at a time, and must return at once.
public protocol MediaPlugin: AnyObject, Sendable {
    /// The keys that the config of an instance has; also what the host checks it against.
    associatedtype Settings: PluginRecord = NoFields

    static var descriptor: PluginDescriptor { get }

    /// What the plugin needs it takes from here; nothing runs yet. The text of the error goes to the log.
    init(host: Host, settings: Settings) throws(PluginError)

    /// Pipelines exist and do not run yet: attach taps here.
    func activate() throws(PluginError)

    /// The counterpart. Taps still attached are detached by the host afterwards; timers and watched files
    /// have ended already.
    func deactivate()

    /// The host is about to pause or resume, or has. `state` is the whole new state, never a bare edge. Where the host
    /// waits it waits for `acknowledgement`; see there for what dropping it means.
    func lifecycle(_ change: LifecycleChange, state: LifecycleState, acknowledgement: Acknowledgement)

    /// The longest an acknowledgement may take; zero is the host's default of 500 ms. Read once, after `init`.
    var acknowledgesWithin: Duration { get }

    /// Read once, after `init`.
    var commands: [Command] { get }

    /// What it serves over HTTP. Read once, after `init`.
    var routes: [Route] { get }

    /// Names of events; `pipeline.*` is all that start with `pipeline.`. Read once, after `init`.
    var subscriptions: [String] { get }

    func handle(_ event: PluginEvent)

    /// The answer to `Host.requestMain`.
    func onMain()
}

extension MediaPlugin {
    public func activate() throws(PluginError) {}
    public func deactivate() {}
    public func lifecycle(_ change: LifecycleChange, state: LifecycleState, acknowledgement: Acknowledgement) {}
    public var acknowledgesWithin: Duration { .zero }
    public var commands: [Command] { [] }
    public var routes: [Route] { [] }
    public var subscriptions: [String] { [] }
    public func handle(_ event: PluginEvent) {}
    public func onMain() {}
}
