/// The session whose lock the host follows.
package struct LoginSession: Sendable, Equatable {
    /// How a session is looked for.
    package enum Question: Sendable, Equatable {
        case id(String)
        /// The one that the host's process belongs to.
        case ofProcess
        /// The active one of the first seat; another one may become active.
        case active
    }

    package var id: String
    package var isLocked: Bool
}
