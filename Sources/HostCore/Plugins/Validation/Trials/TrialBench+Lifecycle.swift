internal import PluginABI

extension TrialBench {
    /// Each way through the life of an instance.
    func lifecycle() async {
        step("created and destroyed without init")
        let unborn = quiet()
        if unborn.create() { unborn.destroy() }

        step("initialised and destroyed")
        if let instance = instance() { await end(instance) } else { return }

        step("initialised, activated, deactivated, destroyed")
        guard let once = await activeInstance() else { return }
        await house.turns(3)
        await end(once)

        step("activated and deactivated again and again")
        let again = quiet()
        if again.create(), again.initialise(config) {
            for _ in 0..<20 {
                guard again.activate() else { break }
                again.deactivate()
            }
            _ = await end(again)
        }

        step("on_main while it is ready, and while it is active")
        if let instance = instance() {
            instance.context.requestMain()
            await house.turns(2)
            do throws(PluginFailure) {
                try instance.activate()
            } catch {
                fault("could not be activated: \(error.message)", expected: "MH_OK from activate", fix: "see the log")
            }
            instance.context.requestMain()
            await house.turns(2)
            await end(instance)
        }

        step("two instances at once")
        if let first = await activeInstance("first"), let second = await activeInstance("second") {
            first.context.requestMain()
            second.context.requestMain()
            await house.turns(3)
            // The older one first, which no host does by itself.
            await end(first)
            second.context.requestMain()
            await house.turns(2)
            await end(second)
        }
        checkFailures("while nothing happened")
    }

    /// Entry, factory and descriptor say the same each time, and nothing where there is nothing.
    func entry() {
        step("an instance of an id that there is not")
        let number = house.desk.nextNumber()
        house.desk.put(QuietHost(number, directory: order.directory), for: number)
        let made = plugin.perform(TrialCall(.create, number, ["no.such.plugin", "tried"]))
        if made.first == .null {
            fault(
                "create made an instance of the unknown id \"no.such.plugin\"", expected: "NULL (mediahost/plugin.h)",
                fix: "compare the id with the descriptor's")
            _ = plugin.perform(TrialCall(.destroy, number))
        }
        step("the factory is asked again")
        guard let library = (plugin as? GuardedLibrary)?.opened else { return }
        for problem in library.inconsistencies() { TrialPipe.tell(problem) }
    }

    /// Destroys it when its work is done, as a host does (mediahost/worker.h).
    /// - Returns: whether that came in time.
    func end(_ instance: QuietInstance) async -> Bool {
        guard await house.until(order.patience, { !instance.host.isWorking }) else {
            fault(
                "work that it had submitted did not end within \(order.patience)",
                expected: "an end: destroy waits for it",
                fix: "let the work look whether the instance is deactivated")
            return false
        }
        instance.destroy()
        return true
    }

    func quiet() -> QuietInstance {
        let number = house.desk.nextNumber()
        let host = QuietHost(number, directory: order.directory)
        house.desk.put(host, for: number)
        return QuietInstance(number, house.descriptor.id, plugin, host)
    }
}

extension OpenedLibrary {
    /// Where a second answer is not the first, or something is there that cannot be.
    func inconsistencies() -> [TrialFault] {
        var faults: [TrialFault] = []
        func find(_ found: String, _ expected: String, _ fix: String) {
            faults.append(TrialFault(found, expected: expected, fix: fix))
        }
        let unknown = "mh.no-such-factory/1".withABI { entry.pointee.get_factory?($0) ?? nil }
        if unknown != nil {
            find(
                "get_factory returned a factory for the unknown id \"mh.no-such-factory/1\"",
                "NULL for every id that it does not have", "compare the whole id, by its length")
        }
        let again = MH_FACTORY_PLUGIN.withABI { entry.pointee.get_factory?($0) ?? nil }
        if again != UnsafeRawPointer(factory) {
            find("get_factory returned another factory the second time", "the same, immortal", "make it once")
        }
        let count = factory.pointee.count?() ?? 0
        if count != UInt32(facts.descriptors.count) {
            find("count was \(facts.descriptors.count), then \(count)", "the same number each time", "make it constant")
        }
        for index in [count, count &+ 1, .max] where (factory.pointee.descriptor?(index) ?? nil) != nil {
            find("descriptor(\(index)) is not NULL, of \(count)", "NULL past the end", "compare the index with count")
        }
        for (index, known) in facts.descriptors.enumerated() {
            guard let raw = factory.pointee.descriptor?(UInt32(index)) ?? nil,
                let second = try? PluginDescriptor(raw), second == known
            else {
                find(
                    "descriptor(\(index)) said something else the second time", "immortal and constant",
                    "make it static const")
                continue
            }
        }
        return faults
    }
}
