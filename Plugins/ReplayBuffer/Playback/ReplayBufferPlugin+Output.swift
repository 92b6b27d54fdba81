import GStreamerKit
package import PluginKit

/// The pipeline that shows what the viewer sees.
extension ReplayBufferPlugin: PipelineAccess {
    package func built(_ name: PipelineName, _ pipeline: UnsafeMutableRawPointer) {
        guard let output = settings.output, Self.pipeline(of: output.text) == name.text else { return }
        do throws(PluginError) {
            let source = try source("output", output)
            let sound: AppSource? =
                if let name = settings.outputAudio { try self.source("output-audio", name) } else { nil }
            source.configureLive()
            sound?.configureLive()
            player.show(on: source, sound: sound)
        } catch {
            host.log(.error, "nothing is played: \(error.message)")
            return
        }
        do throws(PluginError) {
            let ticks = try host.schedule(after: ReplayPlayer.tick, every: ReplayPlayer.tick) { [weak self] _ in
                self?.pump()
            }
            main.withLock { $0.ticks = ticks }
        } catch {
            host.log(.error, "nothing is played: \(error.message)")
        }
    }

    private func source(_ key: String, _ name: ElementName) throws(PluginError) -> AppSource {
        let element = Element(adoptingRaw: try host.element(name))
        guard let source = AppSource(element) else {
            throw PluginError("\(key) \(name) is a \(element.factoryName ?? "bin"), not an appsrc", code: .invalid)
        }
        return source
    }

    package func released(_ name: PipelineName, _ pipeline: UnsafeMutableRawPointer) {
        guard let output = settings.output, Self.pipeline(of: output.text) == name.text else { return }
        main.withLock { $0.ticks = nil }
        player.show(on: nil)
    }

    /// Sends what is due, soon. - Thread: main.
    func pump() {
        guard settings.output != nil, player.wantsPump() else { return }
        do throws(PluginError) {
            try host.submit { [player] in player.pump() }
        } catch {
            // Where the host takes no work the instance is about to end.
            player.gotNoPump()
        }
    }
}
