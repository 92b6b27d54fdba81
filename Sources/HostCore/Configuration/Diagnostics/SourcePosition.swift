/// A place in a file as people and editors count it.
public struct SourcePosition: Sendable, Equatable {
    /// From 1.
    public var line: Int
    /// From 1, in Unicode scalars.
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
