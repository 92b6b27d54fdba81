internal import Glibc

/// The answer to a `RouteRequest`.
public struct RouteResponse: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case bytes([UInt8], type: String)
        case value(PluginValue)
        case file(Int32, type: String)
    }

    let status: Int32
    let content: Content

    /// Of any kind: `.bytes(picture, as: "image/jpeg")`. 16 MiB at most.
    /// - Parameter status: of HTTP, 200 to 599.
    public static func bytes(_ bytes: [UInt8], as contentType: String, status: Int32 = 200) -> RouteResponse {
        RouteResponse(status: status, content: .bytes(bytes, type: contentType))
    }

    /// What can be read from a descriptor: for what is large, or is made while it is sent. The descriptor is the host's from the
    /// answer on, and closed by it, also where nobody waits any more.
    ///
    /// Of a regular file all of it is sent, or the range that the client asks for. Of anything else, a pipe or a socket, what comes
    /// is sent until its end: whoever writes to it waits while the client is slow, and gets `EPIPE` when it has gone.
    /// - Parameter status: of HTTP, 200 to 599.
    public static func file(_ descriptor: Int32, as contentType: String, status: Int32 = 200) -> RouteResponse {
        RouteResponse(status: status, content: .file(descriptor, type: contentType))
    }

    public static func text(
        _ text: String, as contentType: String = "text/plain; charset=utf-8", status: Int32 = 200
    ) -> RouteResponse {
        .bytes(Array(text.utf8), as: contentType, status: status)
    }

    /// As JSON.
    public static func json(_ value: PluginValue) -> RouteResponse {
        RouteResponse(status: 200, content: .value(value))
    }

    /// As JSON, by the names of its fields.
    public static func json(_ record: some PluginRecord) -> RouteResponse { .json(record.pluginValue) }

    /// Done, and nothing to say: 204.
    public static let nothing = RouteResponse(status: 204, content: .bytes([], type: ""))

    /// Nobody gets it.
    func discard() {
        if case .file(let descriptor, _) = content { close(descriptor) }
    }
}
