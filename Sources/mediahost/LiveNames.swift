internal import Glibc
internal import HostCore

/// The names that a running host knows. Where none runs, or it does not answer at once, there are none.
struct LiveNames {
    /// As the command line names its place.
    let place: ParsedArguments

    /// A person waits for the key that was pressed: 0.2 s, or what the environment says for a board that is slower.
    private static var limit: timeval {
        let text = ProcessEnvironment.variables()["MEDIAHOST_COMPLETION_LIMIT"]
        let wished = text.flatMap { try? Quantity.duration($0) } ?? 0
        let microseconds = wished >= 1000 ? Int(wished / 1000) : 200_000
        return timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    }

    var pipelines: Candidates {
        let pipelines = ask { client throws(ControlError) in try client.status() }?["pipelines"]?.members ?? []
        return Candidates(pipelines.map { .init(text: $0.key, about: $0.value["state"]?.string ?? "") })
    }

    var plugins: Candidates {
        let plugins = ask { client throws(ControlError) in try client.status() }?["plugins"]?.members ?? []
        return Candidates(plugins.map { .init(text: $0.key, about: $0.value["state"]?.string ?? "") })
    }

    /// What events and lines of the log come from.
    var sources: Candidates {
        let status = ask { client throws(ControlError) in try client.status() }
        let names = ["pipelines", "plugins"].flatMap { kind in
            (status?[kind]?.members ?? []).map { Candidates.Word(text: $0.key, about: String(kind.dropLast())) }
        }
        return Candidates([.init(text: "host", about: "the host itself")] + names)
    }

    /// Those that may be set.
    func properties(of pipeline: String, suffix: String) -> Candidates {
        let found = ask { client throws(ControlError) in try client.pipeline(pipeline) }?["settable"]?.list ?? []
        return Candidates(
            found.compactMap { row in
                guard let name = row["property"]?.string else { return nil }
                return .init(text: name + suffix, about: row["value"]?.string.map { "now \($0)" } ?? "")
            })
    }

    /// Those that pictures pass.
    func picturePads(of pipeline: String) -> Candidates {
        let graph = ask { client throws(ControlError) in
            let text = try client.graph(pipeline: pipeline, format: .json)
            return (try? JSONText.parse(text)) ?? .null
        }
        let elements = graph?["elements"]?.list ?? []
        return Candidates(
            elements.flatMap { element in
                (element["pads"]?.list ?? []).compactMap { pad -> Candidates.Word? in
                    guard element["bin"]?.bool != true, let name = element["name"]?.string,
                        let padName = pad["name"]?.string, let caps = pad["caps"]?.string
                    else { return nil }
                    let kind = String(caps.prefix { $0 != "," && $0 != "(" })
                    guard kind.hasPrefix("video/") || kind.hasPrefix("image/") else { return nil }
                    return .init(text: "\(name).\(padName)", about: kind)
                }
            })
    }

    /// What `mediahost config reset` may take away.
    var savedSettings: Candidates {
        let found = ask { client throws(ControlError) in try client.overrides() }?["settings"]?.list ?? []
        return Candidates(found.compactMap { $0["key"]?.string })
    }

    /// `PLUGIN.COMMAND`, and `PLUGIN` alone for the form in two words.
    var commands: Candidates {
        let plugins = (ask { client throws(ControlError) in try client.commands() }?.members ?? []).filter {
            $0.value.members?.isEmpty == false
        }
        return Candidates(
            plugins.map { .init(text: $0.key, about: "plugin") }
                + plugins.flatMap { plugin in
                    (plugin.value.members ?? []).map {
                        Candidates.Word(
                            text: "\(plugin.key).\($0.key)", about: $0.value["summary"]?.string ?? "")
                    }
                })
    }

    /// `COMMAND`
    func commands(of plugin: String) -> Candidates {
        let commands = ask { client throws(ControlError) in try client.commands() }?[plugin]?.members ?? []
        return Candidates(commands.map { .init(text: $0.key, about: $0.value["summary"]?.string ?? "") })
    }

    var jobs: Candidates {
        let jobs = ask { client throws(ControlError) in try client.jobs() }?.list ?? []
        return Candidates(
            jobs.map {
                .init(
                    text: $0["id"]?.string ?? "",
                    about: "\($0["plugin"]?.string ?? "").\($0["command"]?.string ?? ""), \($0["state"]?.string ?? "")")
            })
    }

    /// `KEY=`, and what may stand behind it.
    func parameters(of target: String, besides given: ArraySlice<String>, _ current: String) -> Candidates {
        let parts = target.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let all = ask({ client throws(ControlError) in try client.commands() }) else {
            return .none
        }
        let properties = all[parts[0]]?[parts[1]]?["parameters"]?["properties"]?.members ?? []
        return assignments(properties, besides: given, current)
    }

    /// `KEY=` of a plugin's config, keys of maps joined with dots.
    func settings(of plugin: String, besides given: ArraySlice<String>, _ current: String) -> Candidates {
        let schema = ask { client throws(ControlError) in try client.plugin(plugin) }?["schema"]
        return assignments(Self.keys(schema, under: ""), besides: given, current)
    }

    /// Files, devices, addresses, memory and secrets are for the config file alone.
    private static func keys(_ schema: Value?, under path: String) -> [Value.Member] {
        (schema?["properties"]?.members ?? []).flatMap { property in
            let isForFile =
                ["path", "device", "uri", "secret"].contains(property.value["format"]?.string)
                || property.value["x-reserves"]?.bool == true
            let inner = property.value["properties"] != nil
            return isForFile
                ? []
                : inner
                    ? keys(property.value, under: "\(path)\(property.key).")
                    : [.init("\(path)\(property.key)", property.value)]
        }
    }

    private func assignments(
        _ properties: [Value.Member], besides given: ArraySlice<String>, _ current: String
    ) -> Candidates {
        guard let equals = current.firstIndex(of: "=") else {
            let known = Set(given.map { String($0.prefix { $0 != "=" }) })
            return Candidates(
                properties.filter { !known.contains($0.key) }.map {
                    .init(text: "\($0.key)=", about: $0.value["description"]?.string ?? "")
                })
        }
        let key = String(current[..<equals])
        guard let schema = properties.first(where: { $0.key == key })?.value else { return .none }
        if schema["format"]?.string == "path" { return .anyFile }
        var words = (schema["enum"]?.list ?? []).compactMap(\.string)
        if schema["type"]?.string == "boolean" { words = ["true", "false"] }
        if schema["format"]?.string == "pipeline" { words = pipelines.words.map(\.text) }
        return Candidates(words.map { "\(key)=\($0)" })
    }

    /// Ends the process, silently, where the answer takes too long: a shell shows nothing then, and goes on.
    private func ask(_ request: (ControlClient) throws(ControlError) -> Value) -> Value? {
        signal(SIGALRM) { _ in _exit(0) }
        var limit = itimerval(it_interval: timeval(), it_value: Self.limit)
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &limit, nil)
        defer {
            var off = itimerval()
            setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &off, nil)
        }
        do throws(ControlError) {
            return try request(try place.client())
        } catch {
            return nil
        }
    }
}
