public import PluginKit
internal import LaundryTimers

/// The one symbol of this library.
@c @implementation public func mh_plugin_entry_1() -> UnsafePointer<mh_entry_1>? {
    PluginEntry.entry(for: LaundryTimersPlugin.self)
}
