internal import PluginABI

extension TrialBench {
    private static let rounds = 200

    /// Settings that fit the schema, which a plugin may refuse with a reason, and some that do not, which it never sees.
    func configurations() async {
        guard case .object(let properties) = schema.rule.kind, !properties.isEmpty else {
            return Self.skip("it takes no settings")
        }
        for round in 0..<Self.rounds where !TrialPipe.hasFaults {
            let given = merge(settings.valid(schema.rule, &random))
            guard let config = try? schema.resolve(given, names: names) else { continue }
            step("settings \(round), seed \(order.seed): \(Self.short(config))")
            let before = house.logged.count
            do throws(PluginFailure) {
                let instance = try house.make(config)
                // It may well find then that it cannot begin.
                do throws(PluginFailure) { try instance.activate() } catch {}
                await house.turns()
                await end(instance)
            } catch {
                if house.logged.count == before {
                    fault(
                        "refused settings without a word: \(error.message), for \(Self.short(config))",
                        expected: "on failure the plugin writes a reason to the log (mediahost/plugin.h, init)",
                        fix: "log which key is wrong, and what is valid")
                }
            }
            house.forgetFailures()
        }
        step("settings that do not fit")
        for _ in 0..<Self.rounds {
            guard let given = settings.invalid(schema.rule, &random) else { return }
            // The host's own check: what passes is a hole in it, and then the plugin must live with it.
            if let config = try? schema.resolve(given, names: names), let instance = try? house.make(config) {
                await end(instance)
            }
        }
    }

    /// What only the user knows stays as it was given.
    private func merge(_ value: Value) -> Value {
        guard let members = value.members, let given = order.settings.members else { return value }
        return .map(members.filter { member in !given.contains { $0.key == member.key } } + given)
    }

    private static func short(_ value: Value) -> String {
        // Nothing that a terminal would follow, or turn round.
        let text = JSONText.render(value).unicodeScalars.prefix(200).map {
            $0.isASCII ? String($0) : $0.escaped(asASCII: true)
        }.joined()
        return text.utf8.count > 300 ? "\(text.prefix(300))..." : text
    }
}
