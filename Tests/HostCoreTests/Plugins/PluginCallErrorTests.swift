import PluginABI
import Testing

@testable import HostCore

/// What a plugin says is answered with a status of HTTP.
@Suite struct PluginCallErrorTests {
    /// A plugin that said `unsupported` to a container without that codec, or `limit` to one schedule too many, was answered for with
    /// 500: only six of its statuses had a code, and a client's mistake looked like the host's.
    @Test(arguments: [
        (MH_E_INVALID, "invalid", 400), (MH_E_STATE, "state", 409), (MH_E_NOT_FOUND, "not-found", 404),
        (MH_E_UNSUPPORTED, "unsupported", 422), (MH_E_LIMIT, "limit", 409), (MH_E_BUSY, "busy", 503),
        (MH_E_TIMEOUT, "timeout", 504), (MH_E_CANCELLED, "cancelled", 500), (MH_E_FAILED, "failed", 500),
        (-1000, "failed", 500),
    ])
    func eachStatusHasItsCode(_ status: Int, _ name: String, _ number: Int) {
        let error = ControlError(PluginCallError(mh_status(status), "why", field: "to"))
        #expect(error.code.name == name && error.code.status == number)
        #expect(error.message == "why" && error.field == "to")
    }
}
