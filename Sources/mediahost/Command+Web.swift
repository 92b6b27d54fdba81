internal import HostCore

extension Command {
    /// `mediahost web`
    static let web = Command(
        name: "web", summary: "Open the page of a running host, and print an address for a browser that works once",
        details: """
            The host listens on a port of the loopback until it ends or is told `--close`. The address lets one browser in, within five minutes; another call makes another one. From elsewhere: `ssh -L 8080:127.0.0.1:PORT BOARD`, and the address with 8080.
            `--sign` prints an address that a player on the same machine reads without the page's cookie, for GET of that path alone; a place of a plugin, `/plugins/INSTANCE/PLACE/`, stands for all below it.
            """,
        options: [
            OptionSpec(long: "port", short: "p", help: "The port (default: any that is free)", value: "PORT"),
            OptionSpec(long: "close", help: "Close the port and end the page's sessions"),
            OptionSpec(
                long: "sign", help: "Print an address for this path, as in /v1/pipelines/porch/snapshot?width=640",
                value: "ROUTE"),
            OptionSpec(long: "lifetime", help: "--sign: how long it holds, 24h at most (default 1h)", value: "TIME"),
        ] + clientOptions
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        let route = arguments.values["sign"]
        let isClosing = arguments.switches.contains("close")
        guard !isClosing || (route == nil && arguments.values["port"] == nil) else {
            throw UsageError("--close goes alone")
        }
        guard arguments.values["lifetime"] == nil || route != nil else {
            throw UsageError("--lifetime goes with --sign")
        }
        guard arguments.values["port"] == nil || route == nil else {
            throw UsageError("--port and --sign do not go together: open the page before")
        }
        let port = try arguments.values["port"].map { text throws(UsageError) in
            guard let port = UInt16(text), port > 0 else {
                throw UsageError("--port takes a number from 1 to 65535, not \"\(text)\"")
            }
            return Int(port)
        }
        let answer = try answer("web", arguments) { (client, timeout) throws(ControlError) in
            if isClosing { return try client.closeWeb(timeout: timeout) }
            if let route {
                return try client.mediaURL(of: route, lifetime: arguments.values["lifetime"], timeout: timeout)
            }
            return try client.openWeb(port: port ?? 0, timeout: timeout)
        }
        switch answer {
        case .failure(let code): return code
        case .success(let answer):
            if arguments.switches.contains("json") {
                Output.json(answer)
            } else if let url = answer["url"]?.string {
                Output.line(url)
            } else {
                Output.line(answer["closed"]?.bool == true ? "the page is closed" : "the page was not open")
            }
            return .success
        }
    }
}
