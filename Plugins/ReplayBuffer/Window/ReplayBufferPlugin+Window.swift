import PluginKit

/// The ring as a film that is still being shot: `/plugins/INSTANCE/window/`.
extension ReplayBufferPlugin {
    var windowRoutes: [Route] {
        [
            Route(.get, "/window/", summary: "A page that shows the window and scrubs in it.") { _ in
                .bytes(WindowPage.html, as: "text/html; charset=utf-8")
            },
            Route(
                .get, "/window/{file}",
                summary: "The window for players: index.m3u8 and what it names; timeline.json is what the page draws.",
                run: serveWindow),
        ]
    }

    /// - Thread: main. Looking at the ring, and what is made of it, is a worker's.
    private func serveWindow(_ request: RouteRequest, _ reply: RouteReply) {
        let name = request.parameters["file"] ?? ""
        do throws(PluginError) {
            guard let file = WindowFile(name: name) else {
                throw PluginError(
                    "there is no \(name) in the window: index.m3u8 names what there is", code: .notFound)
            }
            var after: Int?
            if let text = request.query["after"] {
                guard file == .timeline, let number = Int(text) else {
                    throw PluginError("after takes the number of a segment, for timeline.json", code: .invalid)
                }
                after = number
            }
            try host.submit { [self, after] in
                do throws(PluginError) {
                    reply.succeed(try make(file, after: after))
                } catch {
                    reply.reject(error)
                }
            }
        } catch {
            reply.reject(error)
        }
    }

    /// - Thread: worker.
    private func make(_ file: WindowFile, after: Int?) throws(PluginError) -> RouteResponse {
        switch file {
        case .playlist:
            let list = try window.list()
            // What a player takes for a playlist has segments.
            if list.named.isEmpty { throw PluginError(window.emptiness, code: .state) }
            return .text(list.playlist.text, as: "application/vnd.apple.mpegurl")
        case .timeline: return .json(try windowReport(after: after))
        case .initialisation(let format): return .bytes(try window.initFile(format).bytes, as: "video/mp4")
        case .segment(let number):
            let bytes = try window.segment(number)
            main.withLock { $0.numbers }?.countSegment()
            return try WindowDesk.answer(bytes, as: "video/mp4")
        }
    }

    /// - Thread: worker.
    private func windowReport(after: Int?) throws(PluginError) -> WindowReport {
        let list = try window.list()
        let timeline = store.timeline()
        let markers = main.withLock { $0.markers.all }
        let named = list.named
        var formats: [WindowFormatReport] = []
        for format in Set(named.map(\.format)) {
            formats.append(WindowFormatReport(name: format.fileName, type: try window.initFile(format).type))
        }
        let segments = after.map { number in named.drop { Int(clamping: $0.number) <= number } } ?? named
        let oldest = named.first?.start ?? timeline.oldest
        return WindowReport(
            now: timeline.position.now(at: time), oldest: oldest, newest: named.last?.end ?? timeline.newest,
            held: timeline.position.isHeld, first: Int(clamping: named.first?.number ?? list.nextNumber),
            next: Int(clamping: list.nextNumber), segments: segments.map(WindowSegmentReport.init), formats: formats,
            gaps: timeline.gaps.filter { $0.to > oldest }.map { GapReport(from: $0.from, to: $0.to) },
            markers: markers.filter { $0.time >= oldest }.map(MarkerReport.init),
            awaited: named.isEmpty ? window.emptiness : nil)
    }
}
