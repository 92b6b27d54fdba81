internal import GStreamerKit
internal import PluginABI

extension TrialBench {
    /// Long enough for a thread that the plugin left behind to show itself.
    private static let afterwards = ClockTime.milliseconds(500)

    /// Every state once, and a while afterwards: the guard knows what may be called where.
    func roles() async {
        step("created, and left alone")
        let unborn = quiet()
        if unborn.create() {
            await house.turns(2)
            unborn.destroy()
        }
        step("active, with something of everything")
        guard let instance = await activeInstance() else { return }
        house.lifecycle.add(instance)
        await callAll(instance)
        house.lifecycle.change(adding: .paused)
        await settle()
        house.lifecycle.change(removing: .paused)
        await settle()
        for name in instance.subscriptions {
            house.events.post(name.hasSuffix(".*") ? name.dropLast(1) + "x" : name, source: "video", [:])
        }
        instance.context.requestMain()
        await house.turns(3)
        await house.pause(.milliseconds(50))
        checkFailures("while nothing was wrong")
        step("ended, and watched for a while")
        await end(instance)
        await house.pause(Self.afterwards)
    }

    /// Every command once, with plain parameters and all that are optional, and every route.
    func callAll(_ instance: PluginInstance) async {
        for route in instance.routes {
            let calls = StormCalls()
            let (path, request) = settings.request(route)
            calls.begin("\(route.method.rawValue) \(route.path)") { _ = await instance.serve(path, request) }
            guard await house.until(order.patience, { calls.open.isEmpty || TrialPipe.hasFaults }) else { return }
        }
        for command in instance.commands {
            let parameters = command.parameters.map { settings.full($0.rule) } ?? .map([])
            let calls = StormCalls()
            calls.begin(command.name) {
                do throws(PluginCallError) { _ = try await instance.call(command.name, parameters) } catch {}
            }
            // That it is not answered at all the storm says.
            guard await house.until(order.patience, { calls.open.isEmpty || TrialPipe.hasFaults }) else { break }
        }
    }

    private func settle() async {
        await withCheckedContinuation { continuation in house.lifecycle.whenSettled { continuation.resume() } }
    }
}
