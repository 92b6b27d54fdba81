/// How the host follows systemd-logind: sleep, shutdown and the session's lock.
public struct LoginSettings: Sendable, Equatable {
    /// Where logind is looked for.
    public enum Bus: Sendable, Equatable {
        /// The system bus, where there is one.
        case auto
        case off
        /// A D-Bus address.
        case address(String)
    }

    /// Whose lock counts.
    public enum Session: Sendable, Equatable {
        /// The one the host runs in, else the active one of the first seat.
        case auto
        case id(String)
    }

    /// What the host does when the machine is about to sleep.
    public enum Sleep: String, Sendable, CaseIterable {
        /// It holds the sleep up until it is quiet.
        case delay
        case ignore
    }

    /// Who follows the power key.
    public enum PowerKey: String, Sendable, CaseIterable {
        /// logind, as it is set up.
        case ignore
        /// Not logind, while the host runs.
        case take
    }

    public var bus = Bus.auto
    public var session = Session.auto
    public var sleep = Sleep.delay
    public var powerKey = PowerKey.ignore

    public init() {}
}
