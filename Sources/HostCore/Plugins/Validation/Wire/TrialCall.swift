/// One call over the plugin ABI as plain data, in either direction: nothing in it points anywhere.
///
/// What a call that the ABI gets needs is said at `GuardTables`; the wire carries any.
struct TrialCall: Sendable, Equatable {
    var function: String
    /// Which instance; counts from 1, 0 is the library.
    var instance: Int64 = 0
    var arguments: [Value] = []
    /// The bytes of a buffer, or of a body.
    var data: [UInt8] = []
    /// A descriptor that goes beside the call. Whoever sends it keeps its own; whoever gets one closes it.
    var file: Int32?

    init(_ function: PluginFunction, _ instance: Int64, _ arguments: [Value] = [], data: [UInt8] = []) {
        self.init(named: function.rawValue, instance, arguments, data: data)
    }

    init(_ function: HostFunction, _ instance: Int64, _ arguments: [Value] = [], data: [UInt8] = []) {
        self.init(named: function.rawValue, instance, arguments, data: data)
    }

    init(named function: String, _ instance: Int64, _ arguments: [Value], data: [UInt8] = []) {
        self.function = function
        self.instance = instance
        self.arguments = arguments
        self.data = data
    }

    /// Nothing where the other side sent less than was asked for.
    subscript(index: Int) -> Value { arguments.indices.contains(index) ? arguments[index] : .null }
}

extension [Value] {
    /// The first of an answer that is a status; -1 where there is none.
    var status: Int32 { first?.int.flatMap { Int32(exactly: $0) } ?? -1 }
}

/// Whoever takes calls: the plugin's side or the host's, here or behind a socket.
/// - Thread: as the ABI says of each function.
protocol CallTarget: AnyObject, Sendable {
    func perform(_ call: TrialCall) -> [Value]
}

/// What the host calls.
enum PluginFunction: String, Sendable, CaseIterable {
    /// Maps the library; the answer is what it says of itself.
    case open
    case create
    case initialise = "init"
    /// The plugin's tables, copied.
    case tables
    case activate, deactivate, destroy
    case onMain = "on_main"
    case onState = "on_state"
    case invoke, cancel
    case onEvent = "on_event"
    case built = "gst.built"
    case released = "gst.released"
    case onFile = "on_fd"
    case validate = "config.validate"
    case apply = "config.apply"
    case request = "routes.request"
    case cancelRequest = "routes.cancel"
    case onTimer = "on_timer"
    case onAction = "on_action"
    case onClosed = "on_closed"
    case epoch = "tap.epoch"
    case format = "tap.format"
    case buffer = "tap.buffer"
    case gap = "tap.gap"
    case endOfStream = "tap.eos"
    case detached = "tap.detached"
    /// No call of the ABI: what the guard can only say when nothing is left of any instance.
    case settle

    /// Made on a streaming thread.
    var isStream: Bool {
        switch self {
        case .epoch, .format, .buffer, .gap, .endOfStream: true
        default: false
        }
    }
}
