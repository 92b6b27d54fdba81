import Locking

extension MainActivity {
    /// Whom the control thread has called, and has not come back from. One for each subject and function, as long as the
    /// process: the watcher may look at it at any time.
    public final class Note: Sendable, CustomStringConvertible {
        /// "plugin replay"
        public let subject: String
        /// "on_main"
        public let function: String

        private init(_ subject: String, _ function: String) {
            self.subject = subject
            self.function = function
        }

        public var description: String { "\(subject) in \(function)" }

        private struct Key: Hashable, Sendable {
            var subject: String
            var function: String
        }

        /// Lock order: a leaf.
        private static let known = Locked<[Key: Note]>([:])

        /// - Thread: any.
        public static func of(_ subject: String, _ function: String) -> Note {
            known.withLock { known in
                let key = Key(subject: subject, function: function)
                if let note = known[key] { return note }
                let note = Note(subject, function)
                known[key] = note
                return note
            }
        }
    }
}
