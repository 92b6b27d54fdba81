internal import PluginABI

/// What the plugin asks of the host, on the control thread.
extension PluginInstance {
    func receive(_ request: PluginContext.Request) {
        guard state != .gone else { return }
        switch request {
        case .fail(let status, let text): fail(PluginFailure("plugin \(name) failed (status \(status)): \(text)"))
        case .main:
            context.mainIsAboutToRun()
            calling("on_main") { plugin.pointee.on_main?(plugin) }
        case .acknowledge(let token, let status):
            environment?.acknowledge(token, accepted: status == mh_status(MH_OK))
        case .reply(let token, let value): calls.finish(token, .success(.value(value)))
        case .respond(let token, let response): calls.finish(token, .success(.response(response)))
        case .reject(let token, let error): calls.finish(token, .failure(error))
        case .progress(let token, let fraction, let text):
            // Not in the call itself: who hears of it may ask for another one.
            let listener = calls.extend(token) { deadline(of: token) }
            context.log.debug(Self.progress(fraction, text))
            listener?(fraction, text)
        case .post(let event, let payload, let cause):
            guard event.hasPrefix(descriptor.id + ".") else {
                context.log.warning("posted \"\(event)\", which does not begin with \(descriptor.id).; not delivered")
                return
            }
            environment?.events.post(event, source: name, payload, cause: cause)
        case .workDone: destroyIfFree()
        case .cancelTimer(let token): _ = cancelTimer(token)
        case .withdrawNotification(let token): _ = withdrawNotification(token)
        case .unwatchFile(let file, let watch):
            // The descriptor's number may have got another meaning since.
            if watch == context.watch(of: file) { _ = unwatchFile(file) }
        }
    }

    /// Anything may come from a plugin, infinities and no number included.
    nonisolated static func progress(_ fraction: Double, _ text: String) -> String {
        (0...1).contains(fraction) ? "\(Int(fraction * 100)) % \(text)" : text
    }

    func fail(_ error: PluginFailure) {
        guard failure == nil else { return }
        failure = error
        environment?.instanceFailed(self, error)
    }

    func attachTap(
        _ place: String, _ client: UnsafePointer<mh_tap_client_1>,
        _ result: UnsafeMutablePointer<OpaquePointer?>
    ) -> mh_status {
        guard state == .active else { return mh_status(MH_E_STATE) }
        guard PluginTapClient.isComplete(client) else {
            context.log.error("cannot tap \(place): the client's table lacks functions")
            return mh_status(MH_E_INVALID)
        }
        do throws(PluginFailure) {
            let path = try padPath(place)
            guard let pipeline = environment?.pipeline(path.pipeline) else {
                throw unknownPipeline(path.pipeline)
            }
            let tap = PluginTap(pipeline)
            let listener = PluginTapClient(
                client, counters: context.counters,
                onUnreadable: { [context] in
                    context.log.warning(
                        "buffers at \(place) cannot be read and are not shown to the plugin (memory of another device?); "
                            + "said once, counted from here on")
                },
                onMissed: { [context] in
                    context.log.warning(
                        "has not come back from its call for a buffer at \(place): the pipeline plays without it until it has"
                    )
                },
                onRefused: { [weak self] failure in
                    guard let self else { return }
                    self.fail(PluginFailure("plugin \(self.name) cannot tap \(place): \(failure.message)"))
                },
                onDetached: { [weak self, weak tap] tell in
                    guard let self, let tap else { return tell() }
                    self.calling("detached", tell)
                    self.taps[ObjectIdentifier(tap)] = nil
                    self.destroyIfFree()
                })
            do throws(PipelineFailure) {
                tap.tap = try pipeline.attach(listener, at: ElementPad(element: path.element, pad: path.pad))
            } catch {
                throw PluginFailure(error.message)
            }
            taps[ObjectIdentifier(tap)] = tap
            result.pointee = tap.handle
            return mh_status(MH_OK)
        } catch {
            context.log.error("cannot tap \(place): \(error)")
            return mh_status(MH_E_NOT_FOUND)
        }
    }

    /// Whether it listens at a pipeline, and has not asked for the end of that.
    func listens(to pipeline: PipelineController) -> Bool { taps.values.contains { $0.isOn(pipeline) } }

    func detachTap(_ handle: OpaquePointer) {
        taps.values.first { $0.handle == handle }?.end()
    }

    private func padPath(_ text: String) throws(PluginFailure) -> PadPath {
        do throws(PathError) {
            return try PadPath(text)
        } catch {
            throw PluginFailure("\(error)")
        }
    }

    private func unknownPipeline(_ wanted: String) -> PluginFailure {
        let names = environment?.pipelineNames ?? []
        let hint = Suggestion.nearest(to: wanted, among: names).map { "did you mean \"\($0)\"?" }
        return PluginFailure(
            "there is no pipeline \"\(wanted)\"", help: hint ?? "there are: \(names.joined(separator: ", "))")
    }
}
