/// A place for a ring that outlives the process, and what was found in it.
struct OpenedRing {
    let place: RingPlace
    /// Nil where it is new.
    let recovery: RingRecovery?
    /// Of the machine: a text that is another one after each boot.
    let boot: String
    /// The reference first.
    let pads: [String]
    /// What the user is to know of it.
    var remarks: [String] = []
}
