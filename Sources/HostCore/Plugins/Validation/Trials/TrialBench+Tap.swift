internal import GStreamerKit
internal import PluginABI

extension TrialBench {
    /// A pipeline that has begun and not ended after this long is stuck.
    private static let limit = ClockTime.seconds(20)

    /// Buffers of real pipelines, two runs long, with a change of the format in each; then the end of the taps.
    func tap() async {
        let wantsPipelines = (house.descriptor.requires + house.descriptor.optional).contains(MH_EXT_GST)
        guard Self.hasPad(schema.rule) || wantsPipelines else { return Self.skip("no key of its settings is a pad") }
        do {
            try GStreamer.start()
        } catch {
            return Self.skip("\(error)")
        }
        let needed = ["videotestsrc", "audiotestsrc", "concat", "identity", "fakesink"]
        guard needed.allSatisfy(ElementFactory.exists) else {
            return Self.skip("GStreamer's core plugins are not installed")
        }
        let hasEncoder = ["x264enc", "h264parse"].allSatisfy(ElementFactory.exists)
        if !hasEncoder { TrialPipe.note("no x264enc here: only pictures were tried, no encoded video") }
        var declined: [String] = []
        for encoded in hasEncoder ? [true, false] : [false] {
            step(encoded ? "encoded video" : "pictures")
            house.build(TrialPipelines.descriptions(encoded: encoded))
            house.forgetFailures()
            guard let instance = await activeInstance() else { return }
            guard !instance.taps.isEmpty || wantsPipelines else {
                await end(instance)
                return Self.skip("it has attached no tap when it is activated")
            }
            await run("first run")
            await callAll(instance)
            await run("second run")
            step("deactivated with its taps")
            await end(instance)
            if let failure = house.failures.first { declined.append(failure.message) }
        }
        if declined.count == (hasEncoder ? 2 : 1) {
            fault(
                "gave up while buffers came: \(declined.last ?? "")", expected: "it takes encoded video or pictures",
                fix: "give the pad it is for: KEY=video/encoded.src, video/raw.src or audio/raw.src")
        } else if let reason = declined.first {
            TrialPipe.note("gave up on one kind of stream: \(reason)")
        }
    }

    private func run(_ what: String) async {
        step(what)
        for pipeline in house.pipelines { if pipeline.hasEnded { pipeline.startOver() } else { pipeline.play() } }
        for pipeline in house.pipelines {
            let hasEnded = await house.until(Self.limit) { pipeline.hasEnded && pipeline.isAtRest }
            if !hasEnded {
                fault(
                    "kept pipeline \(pipeline.name) from its end for \(Self.limit.nanoseconds / 1_000_000_000) s",
                    expected: "a tap's functions return at once (mediahost/types.h, [stream])",
                    fix: "do not wait on a streaming thread: hand over to a worker")
            } else if let failure = pipeline.failure {
                TrialPipe.note("pipeline \(pipeline.name) failed: \(failure.message)")
            }
        }
    }

    static func hasPad(_ rule: SchemaRule) -> Bool {
        switch rule.kind {
        case .object(let properties): properties.contains { hasPad($0.rule) }
        case .array(let item): hasPad(item)
        default: rule.format == .pad
        }
    }
}
