import HostTestKit
import Locking
import TestElements

@testable import GStreamerKit
@testable import HostCore

/// What happens to a house: its surroundings, its user, its devices, and faults.
extension LifecycleHouse {
    enum Step: CaseIterable {
        case pause, resume, interrupt, endOfInterruption, lock, lowPower, output, suspend, wake
        case start, stop, restart, pausePlayer, mode, seek
        case changeDevice, failure, silence, stall
        case join, leave
        case flow, settle, yield
    }

    /// - Returns: whether it came about.
    func take(_ step: Step, _ dice: inout Campaign) async throws -> Bool {
        let isOn = Bool.random(using: &dice)
        let name = Bool.random(using: &dice) ? "camera" : "player"
        // They overlap.
        let interrupter = Bool.random(using: &dice) ? "call" : "bell"
        guard let controller = set[name] else { return false }
        switch step {
        case .pause: tell(.pause, "pause")
        case .resume: tell(.resume, "resume")
        case .interrupt: tell(.interruptionBegan(source: interrupter), "begin", interrupter)
        case .endOfInterruption:
            tell(
                .interruptionEnded(source: interrupter, shouldResume: isOn), isOn ? "end and go on" : "end", interrupter
            )
        case .lock: tell(.locked(isOn), isOn ? "on" : "off", "locked")
        case .lowPower: tell(.lowPower(isOn), isOn ? "on" : "off", "low-power")
        case .output: tell(.outputLost(isOn), isOn ? "on" : "off", "output-lost")
        case .suspend: tell(.suspended(true), "on", "suspended")
        case .wake:
            // It slept only where everybody was quiet before; otherwise it was called off.
            if isOn {
                await settle()
                clock.suspend(for: .seconds(Int64.random(in: 1...86_400, using: &dice)))
                clock.stepWallClock(by: .milliseconds(Int64.random(in: -500...500, using: &dice)))
            }
            tell(.suspended(false), "off", "suspended")
        case .start, .stop, .restart, .pausePlayer, .mode: return await order(step, controller, isOn)
        case .seek:
            return seek(
                controller, to: .milliseconds(10 * Int64.random(in: 0...10_000, using: &dice)), isAccurate: isOn)
        case .changeDevice:
            story.append("another device for \(name)")
            await changeDevice(of: name, &dice)
        case .failure: return fail(controller)
        // A source that is not live runs ahead while nobody takes what it gives.
        case .silence:
            guard let camera = set["camera"] else { return false }
            return await silence(camera, isForGood: false)
        // What still has sound is degraded, and left alone.
        case .stall:
            guard let player = set["player"] else { return false }
            return await silence(player, isForGood: true)
        case .join:
            guard let manner = LifecyclePartner.Manner.allCases.randomElement(using: &dice) else { return false }
            let plugin = try LifecyclePartner("later \(manner)", manner, clock, host.lifecycle)
            story.append("\(plugin.name) joins")
            plugins.append(plugin)
            host.lifecycle.welcome(plugin.participant)
        case .leave:
            guard let index = plugins.indices.randomElement(using: &dice) else { return false }
            let plugin = plugins.remove(at: index)
            story.append("\(plugin.name) leaves")
            former.append(plugin)
            host.lifecycle.remove(plugin.participant)
            await plugin.end()
        case .flow: await flow()
        case .settle:
            story.append("settle")
            await settle()
        case .yield: await Task.yield()
        }
        return true
    }

    /// Its user's word.
    private func order(_ step: Step, _ controller: PipelineController, _ isOn: Bool) async -> Bool {
        let name = controller.name
        switch step {
        case .start:
            set.play(controller)
            model.pipelines[name]?.wish = "play"
        case .stop:
            set.stop(controller)
            model.pipelines[name]?.wish = "stop"
        case .restart:
            set.restart(controller) {}
            model.pipelines[name]?.wish = "play"
        case .pausePlayer:
            guard model.pipelines[name]?.wish != "stop" else { return false }
            set.pause(controller)
            model.pipelines[name]?.wish = "pause"
        default:
            set.setMode(isOn ? .audio : .video, of: controller) {}
            model.pipelines[name]?.media = isOn ? "audio" : "video"
        }
        story.append("\(step) \(name)" + (step == .mode ? " \(isOn ? "audio" : "video")" : ""))
        return true
    }

    /// Nobody waits for it before the end.
    private func seek(_ controller: PipelineController, to place: ClockTime, isAccurate: Bool) -> Bool {
        guard controller.name == "player", controller.build != nil else { return false }
        story.append("seek to \(place)\(isAccurate ? "" : ", key frame")")
        seeks += 1
        Task { @HostActor in
            // Whether there is something to seek in is not asked here, only that it is answered.
            try? await controller.seek(to: place, rate: nil, isAccurate: isAccurate)
            seeks -= 1
        }
        return true
    }

    /// An element fails while buffers pass, and takes the pipeline with it.
    private func fail(_ controller: PipelineController) -> Bool {
        guard let pad = controller.build?.pipeline.element(named: "fault")?.pad(named: "sink") else { return false }
        story.append("\(controller.name) fails")
        return mh_failing_pad_use(pad.pointer) != 0
    }

    /// Nothing comes for a while, which stays a real gap; or for so long that it is built anew.
    private func silence(_ controller: PipelineController, isForGood: Bool) async -> Bool {
        await settle()
        guard controller.state == .playing, controller.situation.media == .video, controller.modes.wanted == .video,
            let line = lines.first(where: { $0.name == controller.name }),
            let valve = controller.build?.pipeline.element(named: "valve")
        else { return false }
        // Before there is a reference, what others bring is one. And of a gap right behind a pause nobody can say that it is none of
        // the pause: what came before it is still on its way then.
        let (before, pause) = (line.count, controller.build?.pipeline.pausedAt ?? .zero)
        await until("\(line.name) plays, and nothing comes") {
            line.count > before && line.last.map { $0.pts - $0.offset > pause } == true || controller.state != .playing
        }
        let held = Locked(0)
        let probe = valve.pad(named: "sink")?.addProbe { data in
            if case .buffer(_) = data { held.withLock { $0 += 1 } }
            return .pass
        }
        defer { probe?.cancel() }
        guard probe != nil, controller.state == .playing, valve.trySet("drop", to: "true") else { return false }
        story.append("\(controller.name) is silent\(isForGood ? " for good" : "")")
        // One may have been behind the valve's door already.
        await until("nothing is held back") { held.withLock { $0 } >= 2 || controller.state != .playing }
        line.silence()
        let (last, number) = (line.last, controller.buildNumber)
        if isForGood {
            await until("\(line.name) is not built anew when nothing comes") {
                // No further than to the stall: what the next build has to do has its own time. And in one step: on a busy machine
                // there are few turns.
                if controller.buildNumber == number, let due = controller.build?.flow.due {
                    clock.advance(by: max(due - clock.monotonic(), .milliseconds(1)))
                }
                return controller.buildNumber > number
            }
            await settle()
        } else {
            await until("nothing is held back") { held.withLock { $0 } >= 5 || controller.state != .playing }
            guard valve.trySet("drop", to: "false") else { return false }
        }
        await until("nothing comes after a silence") { line.last?.pts != last?.pts || controller.state != .playing }
        guard !isForGood, controller.state == .playing, controller.buildNumber == number, let last, let next = line.last
        else { return true }
        if next.offset != last.offset { stuck.append("\(line.name): a silence moved its time, \(last) to \(next)") }
        return true
    }

    private func flow() async {
        story.append("settle and flow")
        await settle()
        for line in lines {
            guard let controller = set[line.name], controller.state == .playing else { continue }
            let count = line.count
            await until("\(line.name) \(line.element) plays, and nothing comes") {
                line.count >= count + 20 || controller.state != .playing
            }
        }
    }
}
