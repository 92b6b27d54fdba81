import Foundation

/// OBS's replay buffer, on an X server without a screen, told by obs-websocket. It shows the camera on a canvas of the
/// same size and rate, and encodes that.
final class OBSRecorder: ReplayRecorder {
    let process: Child
    private let display: Child
    private let socket: WebSocket

    init(_ camera: String, on stage: Stage) throws {
        let port = try Loopback.freePort()
        let home = stage.path(".obs")
        try Self.configure(home, port, clips: stage.path(".clips"))
        display = try Child(
            [Tool.path("Xvfb"), "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"], on: stage)
        let number = try Self.wait("the X server", display) { [display] in
            Int(display.log.split(separator: "\n").last ?? "")
        }
        process = try Child(
            [
                "/usr/bin/env", "DISPLAY=:\(number)", "XDG_CONFIG_HOME=\(home)", "XDG_RUNTIME_DIR=\(home)",
                "LC_ALL=C.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1", Tool.path("obs"), "--multi", "--minimize-to-tray",
            ], on: stage)
        socket = try Self.wait("obs-websocket", process) { try? WebSocket(port: port) }
        _ = try socket.receive(within: 5)
        // Events of outputs, and no others.
        try socket.send(["op": 1, "d": ["rpcVersion": 1, "eventSubscriptions": 64]])
        _ = try socket.receive(within: 5)
        // Refused while it still makes its window.
        let scene = try Self.wait("OBS's scene", process) {
            try request("GetCurrentProgramScene")["currentProgramSceneName"] as? String
        }
        try request(
            "CreateInput",
            [
                "sceneName": scene, "inputName": "camera", "inputKind": "ffmpeg_source",
                "inputSettings": ["is_local_file": false, "input": camera, "hw_decode": false],
            ])
        // Without a source it would ask its user.
        _ = try Self.wait("the replay buffer", process) {
            try request("StartReplayBuffer")
            return try request("GetReplayBufferStatus")["outputActive"] as? Bool == true ? true : nil
        }
    }

    deinit {
        process.kill()
        // Killed it would leave its lock in /tmp.
        kill(display.pid, SIGTERM)
        _ = try? display.waitForSuccess(within: 5)
    }

    func ask() throws { try send("SaveReplayBuffer", [:]) }

    func finished(within seconds: Double) throws -> String? {
        let deadline = monotonic() + UInt64(seconds * 1e9)
        while case let now = monotonic(), now < deadline {
            guard let message = try socket.receive(within: Double(deadline - now) / 1e9) else { return nil }
            let body = message["d"] as? [String: Any]
            guard body?["eventType"] as? String == "ReplayBufferSaved" else { continue }
            return (body?["eventData"] as? [String: Any])?["savedReplayPath"] as? String
        }
        return nil
    }

    private func send(_ type: String, _ data: [String: Any]) throws {
        try socket.send(["op": 6, "d": ["requestType": type, "requestId": type, "requestData": data] as [String: Any]])
    }

    /// - Returns: what it answers; empty where it refuses.
    @discardableResult
    private func request(_ type: String, _ data: [String: Any] = [:]) throws -> [String: Any] {
        try send(type, data)
        while let message = try socket.receive(within: 10) {
            let body = message["d"] as? [String: Any]
            if body?["requestId"] as? String == type { return body?["responseData"] as? [String: Any] ?? [:] }
        }
        throw BenchError("OBS does not answer \(type)\(process.said)")
    }

    private static func wait<T>(_ what: String, _ child: Child, _ look: () throws -> T?) throws -> T {
        for _ in 0..<200 {
            if let found = try look() { return found }
            try child.run(for: 0.1)
        }
        throw BenchError("awaited \(what)\(child.said)")
    }

    /// A key frame each second, as the camera has, so that a clip can begin as near.
    private static func configure(_ home: String, _ port: Int, clips: String) throws {
        let profile = "\(home)/obs-studio/basic/profiles/bench"
        for folder in [profile, clips] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try """
        [General]
        FirstRun=true
        [Basic]
        Profile=bench
        ProfileDir=bench
        [OBSWebSocket]
        FirstLoad=false
        ServerEnabled=true
        ServerPort=\(port)
        AuthRequired=false
        """.write(toFile: "\(home)/obs-studio/global.ini", atomically: false, encoding: .utf8)
        try """
        [General]
        Name=bench
        [Video]
        BaseCX=\(NumberedFilm.width)
        BaseCY=\(NumberedFilm.height)
        OutputCX=\(NumberedFilm.width)
        OutputCY=\(NumberedFilm.height)
        FPSType=0
        FPSCommon=\(NumberedFilm.rate)
        [Output]
        Mode=Advanced
        [AdvOut]
        RecType=Standard
        RecFilePath=\(clips)
        RecFormat=mkv
        RecFileNameWithoutSpace=true
        RecEncoder=obs_x264
        RecRB=true
        RecRBTime=\(ReplayPeersBenchmark.asked)
        RecRBSize=512
        """.write(toFile: "\(profile)/basic.ini", atomically: false, encoding: .utf8)
        try #"{"keyint_sec":1,"bitrate":4000,"rate_control":"CBR","preset":"ultrafast"}"#
            .write(toFile: "\(profile)/recordEncoder.json", atomically: false, encoding: .utf8)
    }
}
