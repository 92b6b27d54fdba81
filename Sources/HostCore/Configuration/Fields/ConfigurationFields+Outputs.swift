/// The keys of `outputs`.
extension ConfigurationFields {
    static let outputs = FieldTable<OutputSettings>(fields: [
        .choice(
            "watch", "whether it is looked for audio outputs: auto (where a pipeline plays to one), on or off",
            default: "auto", \.watch),
        Field(
            "device", "the name of the output that must be there, as `mediahost status` has it; without it, any",
            .text, example: "Built-in Audio Analog Stereo"
        ) { node, settings, problems in
            guard let name = node.text(for: "device", &problems) else { return }
            settings.device = name
        },
    ])
}
