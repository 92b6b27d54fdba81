internal import HostCore

extension Command {
    /// `mediahost graph FILE [PIPELINE]`, `mediahost graph --live PIPELINE`
    static let graph = Command(
        name: "graph", operands: "FILE [PIPELINE] | --live PIPELINE",
        summary: "Draw the pipelines of a config file, or one of a running host with its live caps",
        details: """
            Prints graphviz's language; SVG is drawn by graphviz's own `dot` (`apt install graphviz`), one pipeline at a time.
            From a file the pipelines are only built: no device is opened. `--live`, `--socket` or `--host` asks a running host.
            """,
        options: [
            OptionSpec(
                long: "format", short: "f", help: "dot or svg (default: by the name of the output, else dot)",
                value: "FORMAT"),
            OptionSpec(long: "output", short: "o", help: "Write to a file instead of standard output", value: "FILE"),
            OptionSpec(long: "live", short: "l", help: "Ask a running host"),
        ] + clientOptions.filter { $0.long != "json" }
    ) { arguments throws(UsageError) in
        let output = arguments.values["output"]
        let format = try format(arguments.values["format"], output: output)
        let isLive = arguments.switches.contains("live") || ["socket", "host"].contains { arguments.values[$0] != nil }
        let drawing = isLive ? try live(arguments) : try fromFile(arguments, format)
        switch drawing {
        case .failure(let code): return code.code
        case .success(let dot): return deliver(dot, format, output)
        }
    }

    private static func format(_ given: String?, output: String?) throws(UsageError) -> GraphFormat {
        guard let given else { return output?.hasSuffix(".svg") ?? false ? .svg : .dot }
        guard let format = GraphFormat(rawValue: given), format != .json else {
            throw UsageError("--format takes dot or svg, not \"\(given)\"")
        }
        return format
    }

    /// It was said why; this is what the process ends with.
    private struct Ended: Error {
        var code: ExitCode
    }

    private static func live(_ arguments: ParsedArguments) throws(UsageError) -> Result<String, Ended> {
        guard let pipeline = arguments.operands.first, arguments.operands.count == 1 else {
            throw UsageError("give one pipeline of the running host")
        }
        return try answer("graph", arguments) { (client, timeout) throws(ControlError) in
            try client.graph(pipeline: pipeline, timeout: timeout)
        }.mapError { Ended(code: $0) }
    }

    private static func fromFile(
        _ arguments: ParsedArguments, _ format: GraphFormat
    ) throws(UsageError) -> Result<String, Ended> {
        guard let file = arguments.operands.first, arguments.operands.count <= 2 else {
            throw UsageError("give a config file, and one of its pipelines where only that is wanted")
        }
        let name = arguments.operands.count == 2 ? arguments.operands[1] : nil
        do throws(PluginFailure) {
            let loaded = try ConfigurationCheck.load(file, environment: ProcessEnvironment.variables())
            Output.report(loaded.diagnostics)
            guard let configuration = loaded.configuration else { return .failure(Ended(code: .configuration)) }
            let names = configuration.pipelines.map(\.name)
            if format == .svg, name == nil, names.count > 1 {
                throw PluginFailure("an SVG holds one pipeline: name one of \(names.joined(separator: ", "))")
            }
            return .success(try draw(configuration, name))
        } catch {
            Output.error("mediahost graph: \(error)")
            return .failure(Ended(code: .failure))
        }
    }

    private static func draw(_ configuration: HostConfiguration, _ name: String?) throws(PluginFailure) -> String {
        do throws(PipelineFailure) {
            return try PipelineGraph.draw(configuration, only: name)
        } catch {
            throw PluginFailure(error.message)
        }
    }

    private static func deliver(_ dot: String, _ format: GraphFormat, _ output: String?) -> ExitCode {
        do throws(PluginFailure) {
            let text = format == .svg ? try svg(dot) : dot
            guard let output, output != "-" else {
                Output.write(text, to: Terminal.output)
                return .success
            }
            do throws(OutputFile.Failure) {
                try OutputFile.write(text, to: output, replacing: true)
                return .success
            } catch {
                if case .cannot(let reason) = error { throw PluginFailure(reason) }
                throw PluginFailure("cannot write \(output)")
            }
        } catch {
            Output.error("mediahost graph: \(error)")
            return .failure
        }
    }

    private static func svg(_ dot: String) throws(PluginFailure) -> String {
        do throws(Graphviz.Failure) {
            return try Graphviz.svg(of: dot)
        } catch {
            throw PluginFailure(error.message)
        }
    }
}
