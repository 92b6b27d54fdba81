/// What the control API drives: the host, or a fake of it in tests.
@HostActor
public protocol ControlTarget: AnyObject, Sendable {
    /// What no JSON that leaves the host shows: the routes see to that, not what follows here but `call`. Texts in other formats
    /// and numbers come without.
    var secrets: SecretMask { get }
    /// From now on what is asked for follows from the rule whose program asks.
    /// - Returns: what ends that; nil where no rule runs such a program.
    func attribute(_ request: ControlRequest) -> (@HostActor () -> Void)?
    /// What the host, its pipelines and its plugins are doing.
    func status() -> Value
    /// Returns when did-pause was told.
    func pause() async throws(ControlError) -> Value
    /// Returns when did-resume was told.
    func resume() async throws(ControlError) -> Value
    /// Something has happened around the host; returns when everybody was told and the pipelines have followed.
    func follow(_ trigger: LifecycleTrigger) async throws(ControlError) -> Value
    /// Reads the configuration file again; answers when what changed runs, or when the old runs again.
    func reload() async -> ControlResponse
    /// What was asked of plugins and takes its time.
    var jobs: JobTable { get }
    /// Runs a command of a plugin instance and returns its result. The task is cancelled when the caller has gone.
    /// - Parameter progress: hears how far it is.
    func call(
        instance: String, command: String, parameters: Value,
        progress: @escaping @HostActor @Sendable (_ fraction: Double, _ text: String) -> Void
    ) async throws(ControlError) -> Value
    /// The instances and their commands with schemas and summaries.
    func commands() -> Value
    /// The rules of the config and what became of them, `[{"name", "when", "does", "fired", ...}]`.
    func showRules() -> Value
    /// All pipelines, `{"pipelines": [{"name", "state", "health", ...}]}`, in the order of the config.
    func listPipelines() async -> Value
    /// Everything of one pipeline, with its `settable:` properties and their values.
    func showPipeline(_ name: String) async throws(ControlError) -> Value
    /// Stops a pipeline and starts it again, and returns its status.
    func restart(pipeline: String) async throws(ControlError) -> Value
    /// Starts a pipeline, from the beginning where it has ended, and returns its status.
    func start(pipeline: String) throws(ControlError) -> Value
    /// Stops a pipeline, and returns its status when it is at rest.
    func stop(pipeline: String) async throws(ControlError) -> Value
    /// Does what a player's user asks; returns where it plays when it is so.
    func perform(_ request: PlaybackRequest, on pipeline: String) async throws(ControlError) -> Value
    /// Where a pipeline plays, `{"pipeline", "state", "mode", "position_ns", "duration_ns", "rate", "seekable"}`.
    func playback(of pipeline: String) async throws(ControlError) -> Value
    /// A property of an element, `{"property", "value"}`.
    func property(_ path: String, of pipeline: String) async throws(ControlError) -> Value
    /// Sets a property that the config's `settable:` lists; returns its value then.
    /// - Parameter saving: whether it is to hold after a restart; `{"saved", "reason"}` in the answer says whether it will.
    func set(_ path: String, of pipeline: String, to value: String, saving: Bool) async throws(ControlError) -> Value
    /// Gives a plugin that runs other values for some keys of its config; returns all of it then. `saving` as above.
    func configure(plugin: String, _ changes: Value, saving: Bool) async throws(ControlError) -> Value
    /// The settings that were saved, `{"file", "settings": [{"key", "value"}]}`.
    func showOverrides() async throws(ControlError) -> Value
    /// Takes a saved setting away, or all; returns `{"removed"}`.
    func resetOverrides(_ key: String?) async throws(ControlError) -> Value
    /// Has properties told of as events `pipeline.property`, until the hold goes.
    /// - Parameters:
    ///   - names: PIPELINE/ELEMENT.PROPERTY, separated by commas.
    ///   - origin: of who asks; there are not as many places for all.
    func watch(_ names: String, from origin: RequestOrigin) throws(ControlError) -> PropertyHold
    /// What a pipeline is made of now. `origin` as above.
    func graph(
        pipeline: String, format: GraphFormat, from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload
    /// A picture of what a pipeline shows, or of what passes one of its pads. `origin` as above.
    func snapshot(
        _ request: SnapshotRequest, of pipeline: String, from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload
    /// The configuration that holds, defaults and all, `{"files", "config"}`.
    func showConfiguration() -> Value
    /// All plugins of the config, `{"plugins": [{"name", "state", ...}]}`.
    func listPlugins() -> Value
    /// Everything of one plugin, with its config in force and the schema of that.
    func showPlugin(_ name: String) throws(ControlError) -> Value
    /// Begins a plugin that was disabled or has failed, and returns everything of it.
    /// - Parameter saving: whether it does from the next start on, too.
    func enable(plugin name: String, saving: Bool) async throws(ControlError) -> Value
    /// Disables a plugin, and returns everything of it when it has let go.
    /// - Parameter saving: likewise.
    func disable(plugin name: String, saving: Bool) async throws(ControlError) -> Value
    /// - Throws: `notFound` where the config has no such plugin, `state` where it does not run.
    func requirePlugin(_ instance: String) throws(ControlError)
    /// What plugins serve, `[{"plugin", "method", "path", "summary"}]`.
    func routes() -> Value
    /// Has a plugin instance answer a request for a path below its place; begins with a slash, as on the wire. The task is
    /// cancelled when the client has gone.
    func serve(instance: String, path: String, _ request: ControlRequest) async throws(ControlError) -> ControlResponse
    /// What it would take there, as `Allow` says it; nil where it serves nothing.
    func methods(instance: String, path: String) throws(ControlError) -> [String]?
    /// All numbers, in Prometheus' text format.
    func metrics() -> String
}
