internal import GStreamerKit

/// One wait of `PluginSet` for plugins to let go of everything.
@HostActor
final class PluginWait {
    /// Those that are waited for still.
    var left: [PluginInstance]
    /// Armed when all of them were told to end.
    var timer: HostTimer?
    let done: @HostActor () -> Void

    init(for left: [PluginInstance], _ done: @escaping @HostActor () -> Void) {
        self.left = left
        self.done = done
    }
}
