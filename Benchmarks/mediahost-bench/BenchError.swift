/// Why there is no figure.
struct BenchError: Error {
    var text: String
    var isUsage = false

    init(_ text: String, isUsage: Bool = false) {
        self.text = text
        self.isUsage = isUsage
    }
}
