internal import HostCore

/// How far a job is, in a line.
enum ProgressText {
    private static let width = 24

    /// `replay.save [##########--------------]  42 %  writing clip.mkv`
    static func line(of job: Value) -> String {
        let name = "\(job["plugin"]?.string ?? "").\(job["command"]?.string ?? "")"
        let text = job["state"]?.string == "cancelling" ? "cancelling" : job["text"]?.string ?? ""
        let detail = text.isEmpty ? "" : "  \(text)"
        guard let fraction = job["progress"]?.double, (0...1).contains(fraction) else {
            return "\(name)  \(TimeText.long(nanoseconds: job["elapsed_ns"]?.int ?? 0))\(detail)"
        }
        let done = Int((fraction * Double(width)).rounded(.down))
        let percent = String(Int((fraction * 100).rounded(.down)))
        return "\(name) [" + String(repeating: "#", count: done) + String(repeating: "-", count: width - done) + "] "
            + String(repeating: " ", count: max(0, 3 - percent.count)) + "\(percent) %\(detail)"
    }
}
