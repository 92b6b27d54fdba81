/// Keeps the last seconds of the camera, and saves them when it is asked to.
protocol ReplayRecorder: AnyObject {
    /// The one whose cost is measured.
    var process: Child { get }
    /// For the last `ReplayPeersBenchmark.asked` seconds; does not wait for them.
    func ask() throws
    /// - Returns: the next file, closed, with its name; nil where none comes in time.
    func finished(within seconds: Double) throws -> String?
}
