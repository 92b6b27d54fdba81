import Foundation
import Testing

/// A player of a replay buffer's window: what it has fetched.
struct WindowPlayer {
    var host: MediahostProcess
    let place: Workplace
    /// Of each segment: its number, its init file, and whether time goes on from the one before.
    var segments: [(number: Int, map: String, goesOn: Bool)] = []
    var named: [Int] = []

    func get(_ name: String, to file: String? = nil) async throws -> (status: String, path: String) {
        let path = place.path(file ?? "fetched-\(name)")
        let result = try await Tool.require(
            "curl",
            [
                "-sS", "--unix-socket", host.socket, "-o", path, "-w", "%{http_code}",
                "http://h/plugins/replay/window/\(name)",
            ], in: place.directory)
        return (result.output.trimmingCharacters(in: .whitespacesAndNewlines), path)
    }

    func text(_ name: String) async throws -> (status: String, text: String) {
        let (status, path) = try await get(name, to: "answer")
        return (status, try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8))
    }

    /// Reads the playlist and fetches what it names; all of it has to be there.
    mutating func look() async throws {
        let (status, playlist) = try await text("index.m3u8")
        guard status == "200" else {
            #expect(status == "409" && playlist.contains("the window is empty"), "\(status) \(playlist)")
            return
        }
        var map = ""
        var goesOn = true
        named = []
        for line in playlist.split(separator: "\n") {
            if line == "#EXT-X-DISCONTINUITY" { goesOn = false }
            if line.hasPrefix("#EXT-X-MAP:URI=") { map = String(line.dropFirst(16).dropLast()) }
            guard line.hasPrefix("segment-"), let number = Int(line.dropFirst(8).dropLast(4)) else { continue }
            named.append(number)
            if number > segments.last?.number ?? -1 {
                let (status, _) = try await get(String(line))
                #expect(status == "200", "\(line)")
                if try await get(map).status != "200" { Issue.record("\(map) of \(line)") }
                segments.append((number, map, goesOn))
            }
            goesOn = true
        }
    }

    /// Some of it, decoded: those that follow each other with one init file, as one film.
    func decoded(_ numbers: some Sequence<(number: Int, map: String, goesOn: Bool)>) async throws -> Clip {
        var films: [(map: String, numbers: [Int])] = []
        for segment in numbers {
            if films.last?.map != segment.map { films.append((segment.map, [])) }
            films[films.count - 1].numbers.append(segment.number)
        }
        var clip = try await decoded(try #require(films.first))
        for film in films.dropFirst() { clip.frames += try await decoded(film).frames }
        return clip
    }

    private func decoded(_ film: (map: String, numbers: [Int])) async throws -> Clip {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: place.path("fetched-\(film.map)")))
        for number in film.numbers {
            bytes += try Data(contentsOf: URL(fileURLWithPath: place.path("fetched-segment-\(number).m4s")))
        }
        let path = place.path("film.mp4")
        try bytes.write(to: URL(fileURLWithPath: path))
        return try await Clip(decoding: path)
    }
}
