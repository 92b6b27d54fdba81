/// Why an action of a rule was not carried out.
struct RuleFailure: Error, Sendable, Equatable {
    var message: String
    /// Of a program that has ended by itself.
    var exitCode: Int32?
    /// The last line that a program wrote to standard error.
    var lastLine: String?
    /// Nothing was begun, because too much is under way.
    var isBusy = false

    init(_ message: String) { self.message = message }

    init(_ error: ControlError) { message = error.message }
}
