internal import PluginABI

/// Why a command or a request was not carried out.
struct PluginCallError: Error, Sendable, Equatable {
    var status: Int32
    var message: String

    init(_ status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }
}
