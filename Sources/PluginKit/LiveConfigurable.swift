/// A plugin that takes over another config while it runs. One that is not gets replaced when its config changes.
///
/// ```swift
/// final class Fader: MediaPlugin, LiveConfigurable {
///     func apply(_ settings: Settings) throws(PluginError) { curve = settings.curve }
/// }
/// ```
/// A reload is all or nothing: it asks every plugin first (`validate`), and where something else fails afterwards, the old
/// settings are applied again. Each call may take 1 s, as `init` may; whoever takes longer has failed.
public protocol LiveConfigurable: MediaPlugin {
    /// Whether these settings are good, beyond what their fields say, and can be applied. Changes nothing. Without it
    /// all are.
    /// - Throws: `unsupported` where they are good for a new instance only; anything else refuses the reload. A
    ///   `PluginError` with a `key` is shown at that key's line.
    /// - Thread: main.
    func validate(_ settings: Settings) throws(PluginError)

    /// Takes them over, at once and whole.
    /// - Throws: what could not be seen in `validate`. The reload is undone, and the host makes a new instance with the
    ///   settings of before.
    /// - Thread: main.
    func apply(_ settings: Settings) throws(PluginError)
}

extension LiveConfigurable {
    public func validate(_ settings: Settings) throws(PluginError) {}

    func show(_ config: PluginValue, isForGood: Bool) throws(PluginError) {
        let settings = try Settings.decode(config)
        if isForGood { try apply(settings) } else { try validate(settings) }
    }
}
