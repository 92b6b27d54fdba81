/// Comparisons of secrets.
enum ConstantTime {
    /// Takes as long for a wrong secret as for the right one: what is given decides, not how much of it is right.
    /// - Parameter secret: an empty one is equal to nothing.
    static func areEqual(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        var difference = given.count ^ secret.count
        for (index, byte) in given.enumerated() { difference |= Int(byte ^ secret[index % secret.count]) }
        return difference == 0
    }
}
