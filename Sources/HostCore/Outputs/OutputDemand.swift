/// Whether pipelines play to the machine's audio outputs, by what their launch texts say.
enum OutputDemand {
    /// Those whose outputs a device provider can list; the absence of the others' would be told of them always.
    private static let sinks: Set<String> = ["alsasink", "autoaudiosink", "pipewiresink", "pulsesink"]
    /// They make the sink themselves, unless they are told which.
    private static let players: Set<String> = ["playbin", "playbin3", "playsink"]

    static func isThere(in pipelines: [PipelineDescription]) -> Bool { pipelines.contains(where: plays) }

    static func plays(_ pipeline: PipelineDescription) -> Bool {
        let names = pipeline.launch.named().elements.map(\.name)
        return pipeline.launch.elements.enumerated().contains { index, element in
            guard players.contains(element.factory) else { return sinks.contains(element.factory) }
            let name = index < names.count ? names[index] : nil
            let setting = pipeline.properties.last { $0.path.element == name && $0.path.property == "audio-sink" }?
                .value
            guard let sink = setting ?? element.properties.last(where: { $0.key == "audio-sink" })?.value else {
                return true
            }
            // It may be a whole chain: what plays is its last word that names an element.
            return sink.split(separator: " ").contains { sinks.contains(String($0)) }
        }
    }
}
