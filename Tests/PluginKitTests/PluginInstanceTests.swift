import HostCore
import HostTestKit
import PluginKit
import Testing

/// Drives a plugin through the raw C tables. One after the other: the probe remembers its last object.
@Suite(.serialized) struct PluginInstanceTests {
    private var probe: Probe? { Probe.last.withLock { $0.probe } }

    @Test func entryDescribesThePluginWithoutAnInstance() throws {
        let entry = try #require(PluginEntry.entry(for: Probe.self))
        #expect(entry == PluginEntry.entry(for: Probe.self))
        #expect(entry.pointee.magic == MH_ENTRY_MAGIC)
        #expect(String(cString: entry.pointee.built_with).hasPrefix("swift 6."))
        let fake = FakeHost()
        #expect(fake.lend("mh.other/1") { entry.pointee.get_factory($0) } == nil)
        let factory = try #require(fake.lend(MH_FACTORY_PLUGIN) { entry.pointee.get_factory($0) })
            .assumingMemoryBound(to: mh_factory_1.self)
        let all = (0..<factory.pointee.count()).compactMap { factory.pointee.descriptor($0) }
        let descriptor = try #require(all.first { String(cString: $0.pointee.id) == "org.example.probe" })
        var required: [String] = []
        var cursor = descriptor.pointee.requires_ext
        while let next = cursor?.pointee {
            required.append(String(cString: next))
            cursor = cursor?.advanced(by: 1)
        }
        #expect(required == [MH_EXT_LOG, MH_EXT_VALUE, MH_EXT_TAP])
        #expect(factory.pointee.descriptor(999) == nil)
        #expect(fake.lend("org.example.nobody") { factory.pointee.create(fake.host, $0) } == nil)
    }

    @Test func configIsCopiedAndTyped() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start(["mode": "keep", "window": 60_000_000_000, "list": ["one", "two"], "on": true]) == 0)
        let settings = try #require(probe?.settings)
        #expect(settings.mode == .keep)
        #expect(settings.window == .seconds(60))
        #expect(settings.names == ["one", "two"])
        #expect(settings.on)
        #expect(probe?.host.instanceName == "under-test")
        instance.destroy()
    }

    @Test func wrongConfigLogsItsKeyAndMakesNoObject() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start(["window": "soon"]) == mh_status(MH_E_INVALID))
        #expect(instance.fake.seen.log == [#""window" must be a duration, not "soon""#])
        #expect(probe == nil)
        instance.destroy()
    }

    @Test func failingInitLogsItsReasonAndIsDestroyed() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start(["mode": "fail-init"]) == mh_status(MH_E_INVALID))
        #expect(instance.fake.seen.log == ["mode forbids it"])
        #expect(instance.activate() == mh_status(MH_E_STATE))
        instance.destroy()
    }

    @Test func missingExtensionIsNamed() throws {
        let instance = try FakeInstance.probe(FakeHost(missing: [MH_EXT_TAP]))
        #expect(instance.start() == mh_status(MH_E_UNSUPPORTED))
        #expect(instance.fake.seen.log.count == 1)
        #expect(
            instance.fake.seen.log.first?.contains("\"mh.tap.draft/1\", which fakehost 1.2.3 does not offer") == true)
        instance.destroy()
        let mute = try FakeInstance.probe(FakeHost(missing: [MH_EXT_LOG]))
        #expect(mute.start() == mh_status(MH_E_UNSUPPORTED))
        #expect(mute.fake.seen.failures.first?.contains(MH_EXT_LOG) == true)
        mute.destroy()
    }

    @Test func twoCommandsOfOneNameAreRefused() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start(["mode": "two-echoes"]) == mh_status(MH_E_FAILED))
        #expect(instance.fake.seen.log.first?.contains("\"echo\" is declared twice") == true)
        instance.destroy()
    }

    @Test func destroyReleasesThePluginAndClosesTheHost() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start() == 0)
        let host = try #require(probe?.host)
        #expect(probe != nil)
        instance.destroy()
        #expect(probe == nil)
        host.log(.notice, "too late")
        #expect(instance.fake.seen.log.isEmpty)
        #expect(throws: PluginError.self) { try host.post("x") }
    }

    @Test func droppedAcknowledgementIsGivenAtOnceAndOnce() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start() == 0)
        #expect(instance.activate() == 0)
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_PAUSE), token: 7, state: 1)
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_DID_PAUSE), token: 0, state: 1)
        #expect(instance.fake.seen.acknowledgements == [7: [0]])
        #expect(probe?.seen.withLock { $0 } == ["activate", "willPause 1", "didPause 1"])
        #expect(
            try instance.table(MH_EXT_LIFECYCLE, as: mh_lifecycle_plugin_1.self).pointee.ack_within == 200_000_000)
        instance.deactivate()
        instance.fake.seen.taps.first?.detach()
        instance.destroy()
    }

    @Test func keptAcknowledgementWaitsAndRefusalIsLogged() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start(["mode": "keep"]) == 0)
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_RESUME), token: 8)
        #expect(instance.fake.seen.acknowledgements.isEmpty)
        let kept = try #require(probe?.kept.withLock { $0.removeFirst() })
        #expect(kept.deadline == Timestamp(nanoseconds: 5_000))
        kept.done()
        kept.done()
        #expect(instance.fake.seen.acknowledgements == [8: [0]])
        instance.destroy()
        let refusing = try FakeInstance.probe()
        #expect(refusing.start(["mode": "refuse"]) == 0)
        try refusing.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_PAUSE), token: 9)
        #expect(refusing.fake.seen.acknowledgements == [9: [mh_status(MH_E_BUSY)]])
        #expect(refusing.fake.seen.log == ["not now"])
        refusing.destroy()
    }

    @Test func commandsAnswerExactlyOnce() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start() == 0)
        try instance.call("echo", token: 1, ["count": 1, "flags": [true, false], "inner": ["gain": .double(0.5)]])
        try instance.call("no", token: 2)
        try instance.call("forget", token: 3)
        try instance.call("unknown", token: 4)
        try instance.call("later", token: 5)
        try instance.call("echo", token: 6, ["flags": true])
        var seen = instance.fake.seen
        #expect(
            seen.results == [1: [["count": 1, "flags": [true, false], "inner": ["gain": .double(0.5)]]]])
        #expect(seen.rejections[2] == ["no"])
        #expect(seen.rejections[3]?.first?.contains("ended without an answer") == true)
        #expect(seen.rejectionStatus[4] == mh_status(MH_E_NOT_FOUND))
        #expect(seen.progress[5] == [0.5])
        #expect(seen.rejections[6] == [#""count" is missing"#])
        let commands = try instance.table(MH_EXT_COMMANDS, as: mh_commands_plugin_1.self)
        #expect(commands.pointee.count == 4)
        let later = try #require(probe?.replies.withLock { $0.removeFirst() })
        #expect(!later.isCancelled)
        commands.pointee.cancel(instance.plugin, 99)
        commands.pointee.cancel(instance.plugin, 5)
        #expect(later.isCancelled)
        later.reject(PluginError("given up", code: .cancelled))
        seen = instance.fake.seen
        #expect(seen.rejectionStatus[5] == mh_status(MH_E_CANCELLED))
        #expect(seen.rejections.values.allSatisfy { $0.count == 1 })
        #expect(FakeHost.unconsumedBuilders == 0)
        // A reply that the plugin keeps for ever must not keep the plugin: its commands are its own methods.
        try instance.call("later", token: 7)
        instance.destroy()
        #expect(probe == nil)
        #expect(instance.fake.seen.rejections[7]?.count == 1)
    }

    /// The key that an error named was lost at the ABI, so a page could not show which field of a form was wrong. A host of before
    /// has no place for it, and still gets the rest.
    @Test(arguments: [false, true]) func aRejectionNamesTheParameterWhereTheHostTakesIt(_ isOld: Bool) throws {
        let fake = FakeHost(missing: isOld ? [MH_EXT_COMMANDS_2] : [])
        let instance = try FakeInstance.probe(fake)
        #expect(instance.start() == 0)
        try instance.call("echo", token: 1, ["flags": true])
        try instance.call("no", token: 2)
        #expect(fake.seen.rejections == [1: [#""count" is missing"#], 2: ["no"]])
        #expect(fake.seen.rejectionStatus == [1: mh_status(MH_E_INVALID), 2: mh_status(MH_E_BUSY)])
        #expect(fake.seen.rejectionParameters == (isOld ? [:] : [1: "count"]))
        instance.destroy()
    }

    @Test func tapCallsReachTheStreamInOrder() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start() == 0)
        #expect(instance.activate() == 0)
        let tap = try #require(instance.fake.seen.taps.first)
        #expect(tap.pad == "cam/encoded.src")
        tap.startEpoch(3)
        tap.setFormat("video/x-h264")
        tap.push([1, 2, 3], pts: 40)
        tap.push([], pts: .min, isDelta: true)
        tap.gap(pts: 1, duration: .min)
        tap.endOfStream()
        instance.deactivate()
        #expect(tap.detachRequested)
        let stream = try #require(probe?.stream)
        #expect(stream.seen.withLock { $0.detached } == 0)
        tap.detach()
        let expected = ProbeTap.Seen(
            epoch: 3, caps: "video/x-h264", buffers: 2, bytes: 3, sum: 6, keys: 1, lastPTS: nil, gaps: 1, ends: 1,
            detached: 1)
        #expect(stream.seen.withLock { $0 } == expected)
        instance.destroy()
        #expect(probe == nil)
    }

    @Test func refusedTapFailsActivation() throws {
        let instance = try FakeInstance.probe(FakeHost(refusesTaps: true))
        #expect(instance.start() == 0)
        #expect(instance.activate() == mh_status(MH_E_NOT_FOUND))
        #expect(instance.fake.seen.log == ["could not tap cam/encoded.src"])
        instance.destroy()
        #expect(probe == nil)
    }

    @Test func eventsWorkAndMainCalls() throws {
        let instance = try FakeInstance.probe()
        #expect(instance.start() == 0)
        let host = try #require(probe?.host)
        try host.post("thing", ["a": 1, "b": [true, "x", ["c": 0.5]], "n": nil])
        try host.post("echo", Probe.Echo(count: 3, flags: [], inner: nil))
        let tree: Value = ["a": 1, "b": [true, "x", ["c": .double(0.5)]], "n": .null]
        #expect(
            instance.fake.seen.posted == [
                FakeEvent(name: "org.example.probe.thing", payload: tree),
                FakeEvent(name: "org.example.probe.echo", payload: ["count": 3, "flags": []]),
            ])
        instance.fake.setNow(42)
        #expect(host.monotonic == Timestamp(nanoseconds: 42))
        host.requestMain()
        #expect(instance.fake.seen.mainRequests == 1)
        instance.plugin.pointee.on_main(instance.plugin)
        try host.submit { host.log(.debug, "worked") }
        #expect(instance.fake.seen.log.isEmpty)
        instance.fake.runWork()
        #expect(instance.fake.seen.log == ["worked"])
        let events = try instance.table(MH_EXT_EVENTS, as: mh_events_plugin_1.self)
        let first = try #require(events.pointee.subscriptions?.pointee)
        #expect(String(cString: first) == "pipeline.*")
        instance.fake.lend("pipeline.state") { name in
            instance.fake.lend("cam") { source in
                instance.fake.lend(["state": "playing"]) { payload in
                    var event = mh_event_1()
                    event.name = name
                    event.source = source
                    event.payload = payload
                    events.pointee.on_event(instance.plugin, &event)
                }
            }
        }
        #expect(probe?.seen.withLock { $0 } == ["main", "pipeline.state from cam: playing"])
        instance.destroy()
    }
}
