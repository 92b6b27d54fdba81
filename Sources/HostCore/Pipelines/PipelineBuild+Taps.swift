extension PipelineBuild {
    /// Attaches those taps. One whose pad is not there is refused: its listener is wrong, and the pipeline runs without it.
    func attachOrRefuse(_ taps: [Tap]) {
        for tap in taps {
            do throws(PipelineFailure) {
                try attach(tap)
            } catch {
                tap.refuse(error)
            }
        }
    }
}
