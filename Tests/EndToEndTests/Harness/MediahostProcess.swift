import Foundation
import Testing

/// A running `mediahost run`, and the commands that ask it.
final class MediahostProcess: Sendable {
    let child: ChildProcess
    let socket: String
    private let place: Workplace

    /// - Parameters:
    ///   - config: a path.
    ///   - blocked: signals that wait until the host listens.
    ///   - machine: on which it believes to be; nil: on this one.
    init(
        _ config: String, in place: Workplace, plugins: String? = nil, environment: [String: String] = [:],
        blocked: [Int32] = [], options: [String] = [], machine: MadeUpMachine? = nil
    ) throws {
        self.place = place
        socket = place.path("control.sock")
        var variables = Workplace.environment(environment)
        if let plugins { variables["MEDIAHOST_PLUGIN_PATH"] = plugins }
        let words =
            try (machine?.words(in: place) ?? []) + [Workplace.mediahost, "run", config, "--socket", socket] + options
        child = try ChildProcess(
            words[0], Array(words.dropFirst()), environment: variables, directory: place.directory, blocked: blocked)
    }

    deinit { child.send(SIGKILL) }

    /// What it logs.
    var log: LineLog { child.errors }
    func send(_ signal: Int32) { child.send(signal) }

    /// Runs a command of the command line against this host.
    func ask(_ arguments: String...) async throws -> Tool.Result { try await ask(arguments) }

    func ask(_ arguments: [String]) async throws -> Tool.Result {
        try await Tool.run(Workplace.mediahost, arguments + ["--socket", socket], in: place.directory)
    }

    /// The same, with the answer taken apart.
    func answer(_ arguments: String...) async throws -> JSON { try await answer(arguments) }

    func answer(_ arguments: [String]) async throws -> JSON {
        let result = try await Tool.require(
            Workplace.mediahost, arguments + ["--socket", socket, "--json"], in: place.directory)
        return try JSON(result.output)
    }

    /// Asks for a mode, and returns when it is so: the answer waits for two seconds alone.
    func becomes(_ mode: String, _ pipeline: String = "player") async throws {
        let answer = try await answer("pipeline", "mode", pipeline, mode)
        #expect([answer["mode"].string, answer["next_mode"].string].contains(mode), "\(answer)")
        try await Deadline.poll("\(mode) alone") {
            try await self.answer("pipeline", "position", pipeline)["mode"].string == mode ? true : nil
        }
    }

    /// Ends it by SIGTERM, in order and with code 0.
    func terminate(within limit: Duration = .seconds(60)) async throws {
        send(SIGTERM)
        let ending = try await child.end(within: limit)
        #expect(ending == .exit(0), "\(log.text)")
    }
}

/// Runs a host for as long as `body` takes. A body that throws leaves no process behind, and its error shows the log.
@discardableResult
func withHost<Answer>(
    _ config: String, in place: Workplace, plugins: String? = nil, environment: [String: String] = [:],
    machine: MadeUpMachine? = nil, _ body: (MediahostProcess) async throws -> Answer
) async throws -> Answer {
    let host = try MediahostProcess(
        place.write(config, to: "config.yaml"), in: place, plugins: plugins, environment: environment,
        machine: machine)
    do {
        let answer = try await body(host)
        host.send(SIGKILL)
        _ = try await host.child.end()
        return answer
    } catch {
        host.send(SIGKILL)
        _ = try? await host.child.end()
        throw LineLog.Missing(description: "\(error)\nThe host's log:\n\(host.log.text)")
    }
}
