import Foundation

/// Ours.
final class ReplayBufferRecorder: ReplayRecorder {
    let process: Child
    private let stage: Stage
    private let socket: String
    private var asked: [(connection: KeptConnection, clip: String)] = []

    init(_ camera: String, on stage: Stage) throws {
        self.stage = stage
        socket = stage.path(".socket")
        process = try stage.host(
            ["\(NumberedCamera.source(camera)) name=encoded ! fakesink sync=false"],
            plugins: "  replay: { module: ReplayBuffer, video: p0/encoded.src, window: 12s, memory: 32MiB }\n",
            socket: socket)
        try TimersBenchmark.waitForSocket(socket, process)
    }

    func ask() throws {
        let clip = stage.path(".mkv")
        let connection = try KeptConnection(socket)
        try connection.ask(
            KeptConnection.post(
                "/v1/plugins/replay/commands/save", #"{"last":"\#(ReplayPeersBenchmark.asked)s","to":"\#(clip)"}"#))
        asked.append((connection, clip))
    }

    func finished(within seconds: Double) throws -> String? {
        guard !asked.isEmpty else { return nil }
        let (connection, clip) = asked.removeFirst()
        try connection.answer()
        return clip
    }
}
