internal import GStreamerKit

extension PipelineController {
    /// The present build with its live caps.
    /// - Throws: `state` where there is no build; `busy` where an element does not answer in time.
    func graph(
        _ format: GraphFormat, hiding secrets: SecretMask, _ drawings: GraphDrawings,
        from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload {
        let text: String
        switch format {
        case .dot: text = try await dot(hiding: secrets)
        case .svg:
            text = try await drawings.svg(of: dot(hiding: secrets), from: origin, workers: workers, clock: clock)
        case .json: text = JSONText.render(secrets.mask(try await structure()))
        }
        return ControlResponse.Payload(contentType: format.contentType, bytes: Array(text.utf8))
    }

    private func dot(hiding secrets: SecretMask) async throws(ControlError) -> String {
        guard let pipeline = build?.pipeline else { throw nothingToDraw }
        let drawing = await workers.result(within: Self.answerDeadline, clock: clock) {
            PipelineGraph.draw(pipeline, .everything, secrets)
        }
        guard let drawing else { throw late }
        guard let text = drawing else {
            throw ControlError(.state, "this GStreamer was built without its debugging (gst_debug): take `format=json`")
        }
        return text
    }

    private func structure() async throws(ControlError) -> Value {
        guard let pipeline = build?.pipeline else { throw nothingToDraw }
        guard
            let structure = await workers.result(
                within: Self.answerDeadline, clock: clock, of: { pipeline.structure })
        else { throw late }
        return .map([
            .init("pipeline", .string(name)), .init("state", .string(condition.rawValue)),
            .init("elements", .list(structure.elements.map(\.value))),
            .init("links", .list(structure.elements.flatMap(\.links))),
        ])
    }

    private var nothingToDraw: ControlError {
        ControlError(.state, "pipeline \(name) is \(condition.rawValue): there is nothing to draw")
    }

    private var late: ControlError {
        ControlError(
            .busy,
            "pipeline \(name) is \(condition.rawValue), and an element did not tell its properties within "
                + "\(Self.answerDeadline): its device may hang")
    }
}

extension PipelineStructure.Element {
    fileprivate var value: Value {
        [
            "name": .string(name), "factory": factory.map { .string($0) } ?? .null,
            "parent": parent.map { .string($0) } ?? .null, "bin": .bool(isBin),
            "state": state.map { .string("\($0)") } ?? .null,
            "pads": .list(
                pads.map { pad in
                    [
                        "name": .string(pad.name), "direction": pad.isSink ? "sink" : "src",
                        "caps": pad.caps.map { .string($0) } ?? .null, "peer": pad.peer.map { .string($0) } ?? .null,
                    ]
                }),
        ]
    }

    /// From where data comes to where it goes.
    fileprivate var links: [Value] {
        pads.filter { !$0.isSink }.compactMap { pad in
            pad.peer.map { peer in
                [
                    "from": .string("\(name).\(pad.name)"), "to": .string(peer),
                    "caps": pad.caps.map { .string($0) } ?? .null,
                ]
            }
        }
    }
}
