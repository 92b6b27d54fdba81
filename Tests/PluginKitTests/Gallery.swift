import PluginKit

/// Serves pictures over HTTP.
final class Gallery: MediaPlugin {
    struct Picture: PluginRecord {
        let name: String
        let bytes: Int
        static let fields = Fields(
            Picture.init, Field("name", \.name, "Of the picture"), Field("bytes", \.bytes, "How large"))
    }

    static let descriptor = PluginDescriptor(
        id: "org.example.gallery", name: "Gallery", version: "1.0.0", summary: "Serves pictures.", requires: [.routes])

    private let host: Host

    init(host: Host, settings: NoFields) throws(PluginError) { self.host = host }

    var routes: [Route] {
        [
            Route(.get, "/", summary: "The page.") { _ in .text("<p>Grüße", as: "text/html") },
            Route(.get, "/pictures/{name}", summary: "One picture.", run: picture),
            Route(.put, "/pictures/{name}", summary: "Takes one.", run: take),
            Route(.delete, "/pictures/{name}", summary: "Forgets one.") { _ in .nothing },
            Route(.get, "/later", summary: "Answers from a worker.", run: later),
            Route(.get, "/never", summary: "Drops its reply.") { _, _ in },
        ]
    }

    private func picture(_ request: RouteRequest) throws(PluginError) -> RouteResponse {
        guard let name = request.parameters["name"], name != "none" else {
            throw PluginError("there is no such picture", code: .notFound)
        }
        let size = request.query["size"].flatMap { Int($0) } ?? 1
        return .bytes([UInt8](repeating: UInt8(name.utf8.count), count: size), as: "image/png", status: 203)
    }

    private func take(_ request: RouteRequest) -> RouteResponse {
        .json(Picture(name: "\(request.parameters["name"] ?? ""): \(request.contentType)", bytes: request.body.count))
    }

    private func later(_ request: RouteRequest, _ reply: RouteReply) {
        do throws(PluginError) {
            try host.submit { reply.succeed(.text(reply.isCancelled ? "too late" : "here")) }
        } catch {
            reply.reject(error)
        }
    }
}
