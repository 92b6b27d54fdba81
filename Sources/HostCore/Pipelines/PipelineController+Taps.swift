internal import GStreamerKit

/// Who listens at its pads, over all its builds.
extension PipelineController {
    /// Adds a listener at `element.pad`; it stays over every build.
    public func attach(_ client: any TapClient, at pad: ElementPad) throws(PipelineFailure) -> Tap {
        try checkElement(pad)
        let tap = Tap(pad: pad, client: client, mediaTime: mediaTime, clock: clock)
        if let build {
            do throws(PipelineFailure) {
                // Of one that is new no call is under way. It hears nothing of a place that the build is about to leave.
                _ = try build.attach(tap, closed: build.isElsewhere)
            } catch {
                tap.drop()
                throw error
            }
            modes.makeWay()
        }
        taps.append(tap)
        return tap
    }

    /// Ends a tap; its client's `detached` follows when no call can come any more. Twice is harmless.
    public func detach(_ tap: Tap) {
        guard let index = taps.firstIndex(where: { $0 === tap }) else { return }
        taps.remove(at: index)
        missedTaps.removeAll { $0.tap === tap }
        build?.forget(tap)
        tap.end()
    }

    /// Has all that listen do so at a new build, of which nothing flows yet.
    func attachTaps(to build: PipelineBuild) { for tap in taps { attach(tap, to: build) } }

    /// A build is where it was to go, or could not go there: those that came too late for the flush hear it, too, unless it is about to
    /// go elsewhere again.
    func listenAgain() {
        guard let build, !build.isElsewhere else { return }
        build.openTaps()
        attachReturnedTaps()
    }

    /// Has those listen that came back too late for the beginning of the build.
    private func attachReturnedTaps() {
        guard let build, !build.isElsewhere else { return }
        let returned = missedTaps.filter(\.isBack)
        missedTaps.removeAll(where: \.isBack)
        for missed in returned { attach(missed.tap, to: build) }
        if !returned.isEmpty { modes.makeWay() }
    }

    /// One whose pad is not there is refused: its listener is wrong, and the pipeline runs without it.
    private func attach(_ tap: Tap, to build: PipelineBuild) {
        do throws(PipelineFailure) {
            guard try build.attach(tap, closed: build.isElsewhere) else { return miss(tap) }
            missedTaps.removeAll { $0.tap === tap }
        } catch {
            missedTaps.removeAll { $0.tap === tap }
            tap.refuse(error)
        }
    }

    /// Its client is still in a call of a build that was given up, for ever maybe. When it comes back it goes on at the build that is
    /// there then.
    private func miss(_ tap: Tap) {
        if let index = missedTaps.firstIndex(where: { $0.tap === tap }) {
            // Who looks out for it has not told yet.
            guard missedTaps[index].isBack else { return }
            missedTaps[index].isBack = false
        } else {
            missedTaps.append(MissedTap(tap: tap))
            tap.tellItIsMissed()
        }
        workers.submit { [weak self] in
            tap.waitForClient()
            HostActor.enqueue { self?.isBack(tap) }
        }
    }

    private func isBack(_ tap: Tap) {
        guard let index = missedTaps.firstIndex(where: { $0.tap === tap }) else { return }
        missedTaps[index].isBack = true
        attachReturnedTaps()
    }

    private func checkElement(_ pad: ElementPad) throws(PipelineFailure) {
        let names = description.elementNames
        guard !names.contains(pad.element) else { return }
        let hint = Suggestion.nearest(to: pad.element, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw PipelineFailure(
            code: "no-such-element", element: pad.element,
            message:
                "pipeline \(name) has no element \"\(pad.element)\"\(hint) (it has \(names.joined(separator: ", ")))")
    }
}
