/// What a rule may do to one pipeline.
enum RulePipelineVerb: String, Sendable, CaseIterable {
    case start, stop, restart, play, pause, audio, video

    var summary: String {
        switch self {
        case .start: "starts it, also where it has ended"
        case .stop: "stops it, its files are finished"
        case .restart: "stops and starts it"
        case .play: "lets it play on"
        case .pause: "has it stand still"
        case .audio: "takes its pictures out, its sound goes on"
        case .video: "brings its pictures back"
        }
    }
}
