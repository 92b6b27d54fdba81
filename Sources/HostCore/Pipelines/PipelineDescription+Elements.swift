extension PipelineDescription {
    /// The launch text as it is built: every element has a name, the same on every rebuild.
    var namedLaunch: String { launch.named().launch }

    /// The names of its elements, given or made.
    var elementNames: [String] { launch.named().elements.map(\.name) }

    /// What its state machine follows.
    var rules: PipelineStateMachine.Rules { PipelineStateMachine.Rules(onEOS: onEOS, restart: restart) }
}
