/// What a rule may do to one pipeline.
enum RulePipelineVerb: String, Sendable, CaseIterable {
    case start, stop, restart, play, pause, audio, video, seek, rate, set

    var summary: String {
        switch self {
        case .start: "starts it, also where it has ended"
        case .stop: "stops it, its files are finished"
        case .restart: "stops and starts it"
        case .play: "lets it play on"
        case .pause: "has it stand still"
        case .audio: "takes its pictures out, its sound goes on"
        case .video: "brings its pictures back"
        case .seek: "goes on from another place; with: { position: 90s, to: key-frame }"
        case .rate: "plays faster or slower; with: { rate: 0.5 }"
        case .set: "sets a property that its `settable:` lists; with: { property: camera.brightness, value: 0.2 }"
        }
    }

    /// What `with` has: what the route takes that does the same.
    var parameters: [RouteMember] {
        switch self {
        case .start, .stop, .restart, .play, .pause, .audio, .video: []
        case .seek: PlaybackRoutes.place
        case .rate: PlaybackRoutes.speed
        case .set: [.path("property"), PipelineRoutes.value]
        }
    }

    var schema: ValueSchema {
        ValueSchema(
            SchemaRule(kind: .object(parameters.map { .init(key: $0.name, rule: $0.rule, isRequired: $0.isRequired) })))
    }
}
