import Foundation

/// motion's `pre_capture`: an event that is ended when its film has begun is a clip of what was before it.
final class MotionRecorder: ReplayRecorder {
    let process: Child
    private let port: Int
    private let said: Fifo

    init(_ camera: String, on stage: Stage) throws {
        port = try Loopback.freePort()
        said = try Fifo(on: stage)
        let folder = stage.path(".motion")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let config = stage.path(".conf")
        try """
        daemon off
        log_level 5
        target_dir \(folder)
        netcam_url \(camera)
        width \(NumberedFilm.width)
        height \(NumberedFilm.height)
        framerate \(NumberedFilm.rate)
        threshold 2147483647
        pre_capture \(ReplayPeersBenchmark.asked * NumberedFilm.rate)
        post_capture 0
        event_gap 1
        picture_output off
        movie_output on
        movie_codec mkv
        movie_passthrough on
        webcontrol_port \(port)
        webcontrol_localhost on
        on_movie_start echo begun > \(said.path)
        on_movie_end echo %f > \(said.path)
        """.write(toFile: config, atomically: false, encoding: .utf8)
        process = try Child([Tool.path("motion"), "-n", "-c", config], on: stage)
    }

    func ask() throws { try call("eventstart") }

    func finished(within seconds: Double) throws -> String? {
        guard var line = said.line(within: seconds) else { return nil }
        // It forgets an event that is ended before it has seen it.
        if line == "begun" {
            try call("eventend")
            guard let next = said.line(within: seconds) else { return nil }
            line = next
        }
        return line
    }

    private func call(_ action: String) throws {
        let file = try Loopback.connected(to: port)
        defer { close(file) }
        _ = Loopback.send(
            Array("GET /0/action/\(action) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8), to: file)
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = max(0, recv(file, &answer, answer.count, 0))
        let text = String(decoding: answer[..<count], as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 200") else { throw BenchError("motion answers \(action) with: \(text)") }
    }
}
