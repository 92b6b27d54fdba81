internal import PluginABI

/// Why a command or a request was not carried out.
struct PluginCallError: Error, Sendable, Equatable {
    var status: Int32
    var message: String
    /// The parameter that is wrong, where it is one.
    var field: String?

    init(_ status: Int32, _ message: String, field: String? = nil) {
        self.status = status
        self.message = message
        self.field = field
    }
}
