internal import GStreamerKit

/// What a pipeline shows, as a picture file.
extension PipelineController {
    /// For the next picture to come by: a raw one, or an encoded key frame.
    static let pictureDeadline = (raw: ClockTime.seconds(5), encoded: ClockTime.seconds(20))
    /// For making a file of it.
    nonisolated static let encodingDeadline = ClockTime.seconds(5)
    /// Each holds a picture and a thread.
    static let mostSnapshots = 4

    /// The picture that is shown of what passes a pad; where nobody shows it, and at an encoded one, the next.
    func snapshot(
        _ request: SnapshotRequest, from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload {
        guard let build else { throw notBuilt }
        guard snapshotPlaces.hasRoom(for: origin) else {
            throw ControlError(
                .busy, "\(snapshotPlaces.taken) snapshots of pipeline \(name) are under way: try again later")
        }
        snapshotPlaces.take(origin)
        defer { snapshotPlaces.giveBack(origin) }
        let place = try picturePlace(request.pad, in: build.pipeline)
        let number = buildNumber
        let picture = try await picture(at: place)
        let format = request.format
        let kept = keptEncoder.take(for: request, of: picture)
        let made = await workers.result(within: Self.encodingDeadline + .seconds(1), clock: clock) {
            Result { () throws(Picture.Failure) in
                let encoder =
                    if let kept { kept } else { try PictureEncoder(of: picture.caps, as: format, size: request.size) }
                return (try encoder.encode(picture, within: Self.encodingDeadline), encoder)
            }
        }
        switch made {
        case .success((let bytes, let encoder))?:
            // It was stopped meanwhile: nobody goes on to look.
            if self.build != nil, number == buildNumber {
                keptEncoder.keep(encoder)
            } else {
                workers.submit { encoder.close() }
            }
            return .init(contentType: format.contentType, bytes: bytes)
        case .failure(let failure)? where !failure.isLate:
            throw ControlError(.failed, "the picture (\(picture.caps)) cannot be made into a file: \(failure)")
        case .failure?, nil:
            throw ControlError(
                .timeout,
                "the picture was not made into a file within "
                    + "\(Quantity.durationText(Self.encodingDeadline.nanoseconds)); the machine is busy")
        }
    }

    private struct Place {
        var element: Element
        var pad: Pad
        var name: String
    }

    private func picture(at place: Place) async throws(ControlError) -> Picture {
        // What is shown now is there, also while it stands still.
        if let shown = place.element.shownPicture, shown.isWhole { return shown }
        let isRaw = place.pad.currentCaps?.isRaw != false
        if isRaw || standsStill, let shown = place.pad.pictureShownBehind, shown.isWhole { return shown }
        guard !standsStill else {
            throw ControlError(
                .state,
                "pipeline \(name) is \(condition.rawValue): nothing comes by at \(place.name), and nobody there has kept a whole "
                    + "picture; ask again when it plays")
        }
        let limit = isRaw ? Self.pictureDeadline.raw : Self.pictureDeadline.encoded
        let number = buildNumber
        if let picture = await nextPicture(at: place.pad, within: limit) { return picture }
        guard build != nil, number == buildNumber else {
            throw ControlError(.state, "pipeline \(name) was stopped while a picture was waited for")
        }
        throw ControlError(
            .timeout,
            "no \(isRaw ? "picture" : "key frame") came by at \(place.name) of pipeline \(name) within "
                + "\(Quantity.durationText(limit.nanoseconds)); it is \(condition.rawValue)")
    }

    private var standsStill: Bool { condition == .paused || condition == .finished }

    private func nextPicture(at pad: Pad, within limit: ClockTime) async -> Picture? {
        await withCheckedContinuation { continuation in
            var waiter: CheckedContinuation<Picture?, Never>? = continuation
            var timer: HostTimer?
            var probe: PadProbe?
            pictureWaits += 1
            let id = pictureWaits
            let finish: @HostActor (Picture?) -> Void = { [weak self] picture in
                timer?.cancel()
                probe?.cancel()
                waiter?.resume(returning: picture)
                waiter = nil
                self?.onRelease[id] = nil
            }
            // Nothing comes by any more when the build goes.
            onRelease[id] = { finish(nil) }
            timer = clock.schedule(after: limit) { finish(nil) }
            probe = pad.takePicture { picture in HostActor.enqueue { finish(picture) } }
        }
    }

    private func picturePlace(_ wanted: ElementPad?, in pipeline: Pipeline) throws(ControlError) -> Place {
        guard let wanted else {
            guard mode == .video else {
                throw ControlError(
                    .state, "pipeline \(name) plays without pictures now: `mode video`, or name a pad with encoded ones"
                )
            }
            let shown = shownPlace(in: pipeline)
            // A place that only makes pictures makes none now; what was made of the last one may still be shown as a whole.
            if standsStill, shown?.element.isSink != true, let kept = keptPlace(in: pipeline) { return kept }
            if let shown { return shown }
            throw ControlError(
                .state,
                "pipeline \(name) has no raw pictures now, it is \(condition.rawValue): name a pad with encoded ones, as "
                    + "`encoder.src`")
        }
        guard let element = pipeline.element(named: wanted.element) else {
            let names = pipeline.elements.map(\.name)
            let hint = Suggestion.nearest(to: wanted.element, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ControlError(.notFound, "pipeline \(name) has no element \"\(wanted.element)\"\(hint)", field: "pad")
        }
        guard let pad = element.pad(named: wanted.pad) else {
            throw ControlError(
                .notFound,
                "element \"\(wanted.element)\" has no pad \"\(wanted.pad)\" (it has \(element.padNames.joined(separator: ", ")))",
                field: "pad")
        }
        if let caps = pad.currentCaps, !caps.isVideo {
            throw ControlError(
                .invalid, "\(wanted.description) carries \(caps.mediaType ?? "no pictures"): name a pad with video",
                field: "pad")
        }
        return Place(element: element, pad: pad, name: wanted.description)
    }

    /// Where pictures are shown; else where they are made, for whoever only sends or writes them.
    private func shownPlace(in pipeline: Pipeline) -> Place? {
        var made: Place?
        for element in pipeline.elements where !element.isBin {
            for pad in element.pads {
                guard let caps = pad.currentCaps, caps.isVideo, caps.isRaw else { continue }
                let place = Place(element: element, pad: pad, name: "\(element.name).\(pad.name)")
                if element.isSink { return place }
                if made == nil { made = place }
            }
        }
        return made
    }

    /// A sink whose last buffer is a picture by itself.
    private func keptPlace(in pipeline: Pipeline) -> Place? {
        for element in pipeline.sinks {
            guard let pad = element.pads.first, pad.currentCaps?.isVideo == true,
                element.shownPicture?.isWhole == true
            else { continue }
            return Place(element: element, pad: pad, name: "\(element.name).\(pad.name)")
        }
        return nil
    }
}
