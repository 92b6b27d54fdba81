import PluginKit

extension ReplayBufferPlugin {
    var timelineCommands: [Command] {
        [
            Command("position", summary: "Says where the live edge and the viewer are, and what can be scrubbed.") {
                [self] in timelineReport()
            },
            Command("mark", summary: "Sets a marker.", run: mark),
            Command("unmark", summary: "Takes a marker away.", run: unmark),
        ]
    }

    var viewerCommands: [Command] {
        [
            Command("play", summary: "Lets the viewer go on, from where it is or from elsewhere.", run: play),
            Command("pause", summary: "Lets the viewer stand where it is.", run: pause),
            Command("seek", summary: "Moves the viewer; it goes on if it did.", run: seek),
            Command("step", summary: "Lets the viewer stand at the next picture, or at one before.", run: step),
            Command("live", summary: "Lets the viewer follow the live edge.", run: goLive),
        ]
    }

    func timelineReport() -> TimelineReport {
        let timeline = store.timeline()
        let now = time
        let markers = main.withLock { state in
            if !timeline.isEmpty { state.markers.evict(before: timeline.oldest) }
            return state.markers.all
        }
        let position = timeline.position
        let (viewer, rate): (ViewerState, Double) =
            switch position.viewer {
            case .live: (.live, 1)
            case .playing(_, _, let rate): (.playing, rate)
            case .held(_, let rate): (.held, rate)
            case .paused: (.paused, 0)
            }
        return TimelineReport(
            now: position.now(at: now), position: position.position(at: now, oldest: timeline.oldest),
            delay: position.delay(at: now, oldest: timeline.oldest).map { .nanoseconds($0) },
            scrub: timeline.scrub(at: now), viewer: viewer, rate: rate, held: position.isHeld,
            offset: position.offset(at: now), oldest: timeline.oldest, nextStart: timeline.newest,
            segmentIndex: Int(clamping: timeline.nextIndex), epoch: Int(timeline.epoch),
            segments: timeline.segments.map(SegmentReport.init), gaps: timeline.gaps.map(GapReport.init),
            markers: markers.map(MarkerReport.init))
    }

    // MARK: Markers

    private func mark(_ request: MarkRequest) throws(PluginError) -> MarkerReport {
        guard request.at == nil || request.delay == nil else {
            throw PluginError("cannot mark: give one of at and delay", code: .invalid)
        }
        let timeline = store.edges()
        guard !timeline.isEmpty, let now = timeline.position.now(at: time) else {
            throw PluginError("cannot mark: the buffer is empty", code: .state)
        }
        let place = request.at?.wholeNanoseconds ?? now.clampedSubtracting(request.delay?.wholeNanoseconds ?? 0)
        guard place >= timeline.oldest, place <= timeline.newest else {
            throw notThere(place, timeline, "mark", request.at == nil ? "delay" : "at")
        }
        let marker = main.withLock { $0.markers.add(request.name, at: place) }
        keepMarkers()
        let report = MarkerReport(marker)
        tell("marked", report.pluginValue)
        return report
    }

    private func unmark(_ request: UnmarkRequest) throws(PluginError) {
        let isGone = main.withLock { state in
            guard let marker = state.markers.find(request.marker) else { return false }
            state.markers.remove(marker.id)
            return true
        }
        guard isGone else {
            throw PluginError("there is no marker \"\(request.marker)\"", code: .notFound, key: "marker")
        }
        keepMarkers()
    }

    private func notThere(_ place: Int64, _ timeline: Timeline, _ what: String, _ key: String) -> PluginError {
        PluginError(
            "cannot \(what) \(Spelled.seconds(place)): the buffer has \(Spelled.seconds(timeline.oldest)) to "
                + "\(Spelled.seconds(timeline.newest))", code: .notFound, key: key)
    }

    // MARK: The viewer

    /// The place that is named; nil for none.
    private func place(
        _ at: Duration?, _ delay: Duration?, _ marker: String?, _ what: String
    ) throws(PluginError) -> Int64? {
        guard [at != nil, delay != nil, marker != nil].filter({ $0 }).count <= 1 else {
            throw PluginError("cannot \(what): give one of at, delay and marker", code: .invalid)
        }
        let timeline = store.edges()
        guard !timeline.isEmpty, let now = timeline.position.now(at: time) else {
            throw PluginError("cannot \(what): the buffer is empty", code: .state)
        }
        let (place, key): (Int64, String)
        if let marker {
            guard let found = main.withLock({ $0.markers.find(marker) }) else {
                throw PluginError("there is no marker \"\(marker)\"", code: .notFound, key: "marker")
            }
            (place, key) = (found.time, "marker")
        } else if let at {
            (place, key) = (at.wholeNanoseconds, "at")
        } else if let delay {
            (place, key) = (now.clampedSubtracting(delay.wholeNanoseconds), "delay")
        } else {
            return nil
        }
        guard place >= timeline.oldest, place <= timeline.newest else {
            throw notThere(place, timeline, "\(what) to", key)
        }
        return place
    }

    private func play(_ request: PlayRequest) throws(PluginError) -> TimelineReport {
        guard abs(request.rate) >= 0.1 else {
            throw PluginError(
                "cannot play at rate \(request.rate): 0.1 is the least, forwards or backwards", code: .invalid,
                key: "rate")
        }
        let place = try place(request.at, request.delay, request.marker, "play")
        let now = time
        store.movePosition { $0.play(from: place, rate: request.rate, at: now, oldest: $1) }
        pump()
        return timelineReport()
    }

    private func pause() -> TimelineReport {
        let now = time
        store.movePosition { $0.pause(at: now, oldest: $1) }
        pump()
        return timelineReport()
    }

    private func seek(_ request: PlaceRequest) throws(PluginError) -> TimelineReport {
        guard let place = try place(request.at, request.delay, request.marker, "seek") else {
            throw PluginError("cannot seek: give one of at, delay and marker", code: .invalid)
        }
        let now = time
        store.movePosition { $0.seek(to: place, at: now, oldest: $1) }
        pump()
        return timelineReport()
    }

    private func step(_ request: StepRequest) throws(PluginError) -> TimelineReport {
        guard request.count != 0 else {
            throw PluginError(
                "cannot step by no picture: give count, forwards or (negative) backwards", code: .invalid,
                key: "count")
        }
        let now = time
        let timeline = store.edges()
        guard !timeline.isEmpty, let edge = timeline.position.now(at: now),
            let place = timeline.position.position(at: now, oldest: timeline.oldest)
        else {
            throw PluginError("cannot step: the buffer is empty", code: .state)
        }
        guard let picture = store.picture(request.count, from: place, until: edge) else {
            throw PluginError(
                request.count > 0
                    ? "cannot step: there is no picture after that of \(Spelled.seconds(place)) yet"
                    : "cannot step: nothing is kept from before the picture of \(Spelled.seconds(place))",
                code: .notFound)
        }
        store.movePosition { $0.stand(at: picture, at: now, oldest: $1) }
        pump()
        return timelineReport()
    }

    private func goLive() -> TimelineReport {
        store.movePosition { position, _ in position.goLive() }
        pump()
        return timelineReport()
    }
}

extension SegmentReport {
    fileprivate init(_ segment: Segment) {
        self.init(
            index: Int(clamping: segment.index), start: segment.start, duration: .nanoseconds(segment.duration),
            epoch: Int(segment.epoch), monotonic: segment.wall.monotonic, boottime: segment.wall.boottime,
            realtime: segment.wall.realtime)
    }
}

extension GapReport {
    fileprivate init(_ gap: Gap) { self.init(from: gap.from, to: gap.to) }
}
