extension PipelineBuild {
    /// Attaches those taps. One whose pad is not there is refused: its listener is wrong, and the pipeline runs without it.
    func attachOrRefuse(_ taps: [Tap], closed: Bool) {
        for tap in taps {
            do throws(PipelineFailure) {
                try attach(tap, closed: closed)
            } catch {
                tap.refuse(error)
            }
        }
    }
}
