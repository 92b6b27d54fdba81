internal import GStreamerKit
internal import PluginABI
import Locking

extension TrialBench {
    private static let rounds = 20
    private static let blows = 100

    /// Everything that can come, in an order that the seed decides, and the end in the middle of it.
    func storm() async {
        // On a slow board there are fewer of them; the last one has time to settle before the trial's limit.
        let until = house.clock.monotonic() + order.patience + order.patience
        for round in 1...Self.rounds {
            step("round \(round) of \(Self.rounds), seed \(order.seed)")
            guard let instance = await activeInstance() else { return }
            house.lifecycle.add(instance)
            let calls = StormCalls()
            for _ in 0..<Self.blows where !TrialPipe.hasFaults { await blow(instance, calls) }
            if TrialPipe.hasFaults || round % 2 == 1 { await settle(instance, calls) }
            // What is open now is not owed any more.
            await end(instance)
            if TrialPipe.hasFaults { return }
            if house.clock.monotonic() >= until, round < Self.rounds {
                return TrialPipe.note("\(round) of \(Self.rounds) rounds: there was no time for more")
            }
        }
    }

    private func blow(_ instance: PluginInstance, _ calls: StormCalls) async {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: command(instance, calls)
        case 4: calls.cancelOne(&random)
        case 5, 6: event(instance)
        case 7: instance.context.requestMain()
        case 8:
            // Bits that no header has are legal.
            let bits = DesiredState(rawValue: [1, 1, 4, 1 << 40].randomElement(using: &random) ?? 1)
            if Bool.random(using: &random) {
                house.lifecycle.change(adding: bits)
            } else {
                house.lifecycle.change(removing: bits)
            }
        default: await house.turns(Int.random(in: 1...4, using: &random))
        }
        if random.chance(1, in: 8) { await settled(instance) }
        checkFailures("in a storm of valid calls")
    }

    /// The lifecycle waits for acknowledgements, at most for their deadline.
    private func settled(_ instance: PluginInstance) async {
        await withCheckedContinuation { continuation in house.lifecycle.whenSettled { continuation.resume() } }
        guard let late = house.lifecycle.stragglers[instance.name] else { return }
        fault(
            "did not acknowledge \(late) changes of the lifecycle within \(instance.acknowledgeWithin.nanoseconds / 1_000_000) ms",
            expected: "one ack for each on_state with a token, before the deadline (mediahost/lifecycle.h)",
            fix: "call ack as soon as everything is put away, or ask for more time with ack_within")
    }

    private func command(_ instance: PluginInstance, _ calls: StormCalls) {
        let isRequest = instance.commands.isEmpty || random.chance(1, in: 3)
        if isRequest, let route = instance.routes.randomElement(using: &random) {
            let (path, request) = settings.request(route, &random)
            calls.begin("\(route.method.rawValue) \(route.path)") { _ = await instance.serve(path, request) }
            return
        }
        guard let command = instance.commands.randomElement(using: &random) else { return event(instance) }
        let parameters = command.parameters.map { settings.valid($0.rule, &random) } ?? .map([])
        calls.begin(command.name) {
            do throws(PluginCallError) {
                _ = try await instance.call(command.name, parameters)
            } catch {}
        }
    }

    private func event(_ instance: PluginInstance) {
        var names = ["com.example.unknown", "pipeline.no-such-event", "lifecycle.unknown", "x"]
        names += instance.subscriptions.map { $0.hasSuffix(".*") ? $0.dropLast(1) + "unheard-of" : $0 }
        let payloads: [Value] = [
            [:], ["state": "playing", "reason": "", "message": "ü", "restarts": 0],
            ["deep": ["list": [1, .double(2.5), "three", .null, true]]], ["state": 5, "message": .null],
        ]
        house.events.post(
            names.randomElement(using: &random) ?? "x", source: "video", payloads.randomElement(using: &random) ?? [:])
    }

    /// Every command must be answered by now, or soon.
    private func settle(_ instance: PluginInstance, _ calls: StormCalls) async {
        step("every command is waited for, seed \(order.seed)")
        await settled(instance)
        var areDone = await house.until(order.patience) { calls.open.isEmpty || TrialPipe.hasFaults }
        // Work that runs is a sign of life.
        if !areDone, instance.context.hasRunningWork {
            areDone = await house.until(order.patience) { calls.open.isEmpty }
        }
        guard !areDone else { return }
        let names = Set(calls.open).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        fault(
            "did not answer \(names) within \(order.patience.nanoseconds / 1_000_000) ms",
            expected:
                "one answer to each command and request, also where it was cancelled (mediahost/commands.h, routes.h)",
            fix: "answer on every way out of it")
    }
}

/// The commands of a storm that have not come back.
@HostActor
final class StormCalls {
    private var tasks: [Int: (name: String, task: Task<Void, Never>)] = [:]
    private var last = 0

    var open: [String] { tasks.values.map(\.name) }

    func begin(_ name: String, _ call: @escaping @HostActor @Sendable () async -> Void) {
        last += 1
        let number = last
        let task = HostActor.task { [self] in
            await call()
            tasks[number] = nil
        }
        tasks[number] = (name, task)
    }

    func cancelOne(_ random: inout TrialRandom) {
        let keys = tasks.keys.sorted()
        guard let key = keys.randomElement(using: &random) else { return }
        tasks[key]?.task.cancel()
    }
}
