internal import GStreamerKit

/// The one reader of a build's bus.
extension PipelineController {
    func receive(_ message: BusMessage, from number: Int) {
        guard number == buildNumber else { return }
        switch message {
        case .endOfStream: feed(.endOfStream(hadBuffers: hadBuffers))
        case .segmentDone:
            if build?.endRound(now: clock.monotonic()) == true { feed(.segmentDone) } else { endLastRound() }
        case .error(let report):
            // A source that was sent EOS waits for its thread, which may wait in a sink that is paused on its way to NULL.
            if machine.state == .draining { build?.lacksItsEnd = true }
            feed(.error(PipelineFailure(report)))
        case .warning(let report): onNotice(self, .warning("\(report.element): \(report.explanation)"))
        // What was on the way when something else was asked for is not the answer to that.
        case .stateChanged(_, let new, _): if build?.changes.areDone == true { reached(new) }
        case .buffering(let element, let percent): follow(buffering: percent, of: element)
        case .clockLost: feed(.clockLost)
        case .requestState(_, let wanted): feed(.hold(wanted != .playing))
        case .quality(let element, let processed, let dropped):
            quality.update(element, processed: processed, dropped: dropped)
            numbers.update(element, dropped: dropped)
        case .latencyChanged:
            guard let pipeline = build?.pipeline else { return }
            worker.submit { pipeline.recalculateLatency() }
            measureLatency()
        case .mark(let name): follow(mark: name)
        case .needContext, .asyncDone, .other: break  // contexts are found by the elements' own bins
        }
    }

    /// What was before the place it begins at was not let through to be counted.
    var hadBuffers: Bool { build.map { $0.flow.hasFlowed(since: .zero) || $0.curtain != nil } == true }

    private func reached(_ state: PipelineState) {
        switch state {
        case .paused: feed(.reached(.paused))
        case .playing:
            let wasPlaying = machine.state == .playing
            feed(.reached(.playing))
            if machine.state == .draining { return modes.drain() }
            guard machine.state == .playing, let build else { return }
            if wasPlaying { return modes.moveOn() }
            // Straight to PLAYING nobody says that there is no preroll.
            if build.watchMuxersAndLiveSources() { (isCapture, build.isLive) = (true, true) }
            build.flow.begin(anew: build.hasPlayed)
            build.hasPlayed = true
            modes.begin(build.pipeline, listened: build.pads(of: taps), on: worker)
            measureLatency()
        case .null, .ready: break
        }
    }

    /// Only a pipeline that can wait waits: a live one would lose what comes meanwhile.
    private func follow(buffering percent: Int, of element: String) {
        guard let build, !build.isLive else { return }
        let level = build.buffering.update(element, percent)
        // Beside what hangs no change of its state comes about: it plays on, and does not wait.
        guard stuckSince == nil || machine.state == .buffering else { return }
        feed(.buffering(level))
        guard machine.state == .buffering, let timeout = description.stallTimeout else { return }
        let number = buildNumber
        armDeadline(timeout) { [weak self] in
            guard let self, self.machine.state == .buffering else { return }
            self.feed(
                .startDeadline(
                    PipelineFailure(
                        code: "stalled", element: element, message: "its queue does not fill; it stays at \(level) %")),
                from: number)
        }
    }

    private func follow(mark name: String) {
        if let build, build.changes.hear(name) {
            // Nothing is posted by a pipeline that is there already: it was buffering.
            let (result, current) = build.pipeline.state()
            if result == .success || result == .noPreroll { reached(current) }
        }
        for target in [PipelineStateMachine.Target.playing, .paused] {
            if name == Self.refusal(of: target) {
                let text = "the pipeline refused to go to \(target); no element said why"
                feed(.error(PipelineFailure(code: "state-change", message: text)))
            }
        }
    }
}

extension PipelineFailure {
    init(_ report: BusMessage.ElementReport) {
        self.init(
            code: "element-error", element: report.element, message: report.explanation, domain: report.domain,
            number: report.code, debug: report.debug)
    }
}
