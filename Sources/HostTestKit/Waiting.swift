/// Lets everybody else go on for as long as that is so.
///
/// For what nobody tells of. A loop of its own would spin on when the time of its test is over, and keep all the others.
/// - Throws: when that time is over.
public func wait(
    while isSo: @autoclosure () throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async throws {
    while try isSo() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
