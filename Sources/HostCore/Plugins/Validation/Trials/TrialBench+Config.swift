internal import GStreamerKit
internal import PluginABI

extension TrialBench {
    private nonisolated static let rounds = 200

    /// Settings that fit the schema, which a plugin may refuse with a reason, and some that do not, which it never sees.
    func configurations() async {
        guard case .object(let properties) = schema.rule.kind, !properties.isEmpty else {
            return Self.skip("it takes no settings")
        }
        var watch = begin("settings")
        for round in 0..<Self.rounds where !TrialPipe.hasFaults {
            guard watch.goesOn(round) else { break }
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
        await live()
        step("settings that do not fit")
        watch = begin("settings that do not fit")
        for round in 0..<Self.rounds {
            guard watch.goesOn(round), let given = settings.invalid(schema.rule, &random) else { return }
            // The host's own check: what passes is a hole in it, and then the plugin must live with it.
            if let config = try? schema.resolve(given, names: names), let instance = try? house.make(config) {
                await end(instance)
            }
        }
    }

    /// The same, shown to one instance that runs, where it takes that.
    private func live() async {
        guard !TrialPipe.hasFaults, let instance = await activeInstance() else { return }
        guard instance.isLiveConfigurable else { return await end(instance) }
        let watch = begin("settings while it runs")
        for round in 0..<Self.rounds where !TrialPipe.hasFaults && instance.isLiveConfigurable {
            guard watch.goesOn(round) else { break }
            let given = merge(settings.valid(schema.rule, &random))
            guard let config = try? schema.resolve(given, names: names) else { continue }
            step("settings \(round) while it runs, seed \(order.seed): \(Self.short(config))")
            switch instance.validate(config) {
            case .good:
                for refusal in instance.apply(config) {
                    fault(
                        "agreed to settings and did not take them: \(refusal.key) \(refusal.text), \(Self.short(config))",
                        expected: "MH_OK from apply after MH_OK from validate (mediahost/config.h)",
                        fix: "find in validate what apply could trip over")
                }
            case .needsNewInstance: break
            case .bad(let refusals):
                for refusal in refusals where refusal.key.isEmpty && refusal.text.hasPrefix("it does not say why") {
                    fault(
                        "refused settings without a word while it runs, for \(Self.short(config))",
                        expected: "refuse says what is wrong (mediahost/config.h)",
                        fix: "call refuse with the key and what is valid")
                }
            }
            await house.turns()
            house.forgetFailures()
        }
        await end(instance)
    }

    /// A plugin that takes its time, as it may, gets fewer of them.
    private struct Watch {
        let what: String
        let end: ClockTime
        let clock: SystemClock

        func goesOn(_ done: Int) -> Bool {
            guard clock.monotonic() >= end else { return true }
            TrialPipe.note("\(done) of \(TrialBench.rounds) \(what): there was no time for more")
            return false
        }
    }

    private func begin(_ what: String) -> Watch {
        Watch(what: what, end: house.clock.monotonic() + order.effort, clock: house.clock)
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
