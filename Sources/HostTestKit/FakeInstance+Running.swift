public import HostCore
public import PluginABI

/// The short way: an instance that runs, asked as a user would ask it.
///
/// ```swift
/// let counter = try FakeInstance.running(
///     FrameCounter.descriptor.id, of: PluginEntry.entry(for: FrameCounter.self), config: ["video": "cam/encoded.src"])
/// try counter.tap("cam/encoded.src").pushFrames(90)
/// #expect(try counter.ask("count") == ["frames": 90])
/// counter.end()
/// ```
extension FakeInstance {
    /// An active instance. Its config went through its own schema, as the host does it: units are resolved, defaults
    /// filled in.
    /// - Throws: what the host would say about the config, or what the plugin wrote to the log.
    public static func running(
        _ id: String, of entry: UnsafePointer<mh_entry_1>?, config: Value = [:], in fake: FakeHost = FakeHost()
    ) throws(Broken) -> FakeInstance {
        let instance = try FakeInstance(id, of: entry, in: fake)
        do throws(Broken) {
            let resolved = try resolve(config, with: instance.configSchema)
            guard instance.start(resolved) == 0, instance.activate() == 0 else {
                throw Broken(description: fake.seen.log.last ?? "\(id) did not start and did not say why")
            }
        } catch {
            instance.destroy()
            throw error
        }
        return instance
    }

    /// Runs a command to its end, with parameters as users write them.
    /// - Throws: what its schema or the plugin says against it.
    public func ask(_ command: String, _ parameters: Value = [:]) throws(Broken) -> Value {
        let commands = try table(MH_EXT_COMMANDS, as: mh_commands_plugin_1.self).pointee
        let row = (0..<commands.count).lazy.compactMap { commands.commands?[$0] }
            .first { String(cString: $0.name) == command }
        guard let row else { throw Broken(description: "there is no command \(command)") }
        let token = fake.nextToken()
        try call(
            command, token: token,
            try Self.resolve(parameters, with: row.parameters.map { String(cString: $0) }))
        settle()
        let seen = fake.seen
        if let text = seen.rejections[token]?.first { throw Broken(description: text) }
        guard let result = seen.results[token]?.first else {
            throw Broken(description: "\(command) has not answered yet")
        }
        return result
    }

    /// Does what the plugin asked for: work, and its calls on main, until it asks for nothing more. What is new of its
    /// notifications it is told, too.
    public func settle() {
        repeat {
            fake.runWork()
            let hasReports = tellNotifications()
            let wantsMain = fake.takeMainRequest()
            if wantsMain { callMain() }
            guard hasReports || wantsMain else { return }
        } while true
    }

    /// The newest tap at a pad.
    public func tap(_ pad: String) throws(Broken) -> FakeTap {
        let taps = fake.seen.taps
        guard let tap = taps.last(where: { $0.pad == pad }) else {
            let others = taps.map(\.pad).joined(separator: ", ")
            throw Broken(description: "the plugin taps \(others.isEmpty ? "nothing" : others), not \(pad)")
        }
        return tap
    }

    /// The whole way out: deactivation, the end of each tap, destruction.
    public func end() {
        deactivate()
        for tap in fake.seen.taps { tap.detach() }
        destroy()
    }

    static func resolve(_ value: Value, with schema: String?) throws(Broken) -> Value {
        let rules: ValueSchema
        do throws(ValueSchema.Broken) {
            rules = try ValueSchema(json: schema ?? #"{"type":"object"}"#)
        } catch {
            throw Broken(description: "its schema is broken at \(error.path): \(error.message)")
        }
        do throws(ValueSchemaError) {
            return try rules.resolve(value)
        } catch {
            throw Broken(description: error.description)
        }
    }
}
