/// Where in a chain the launch parser stands.
enum LaunchPlace {
    case start
    /// Behind an element or bin. `owner`: whose properties may follow. `end`: what a link begins at; nil behind a bin whose
    /// last chain is closed by a reference or a URI.
    case element(owner: Int?, end: LaunchEnd?)
    /// Behind a link, with the pads of the element to come.
    case link(LaunchPendingLink, pads: [LaunchEnd.Pad])
    /// Behind a reference that begins a chain: a link must follow.
    case reference(Range<Int>, LaunchEnd)
    /// Behind a URI that begins a chain.
    case uri(LaunchEnd)
}

/// A link whose sink is still to come.
struct LaunchPendingLink {
    /// The whole word, a filter included.
    var range: Range<Int>
    /// Nil where an error was reported.
    var source: LaunchEnd?
    var filter: Int?
    var linksAllPads: Bool
}

/// The launch text itself, or one bin of it that is still open.
struct LaunchLevel {
    /// The opening of the bin.
    var span = 0..<0
    var bin: Int?
    var isEmpty = true
    /// What a link into the bin ends at: the begin of its first chain, where that is an element.
    var first: LaunchEnd?
    /// What a link out of the bin begins at.
    var last: LaunchEnd?
    /// The link that leads to the bin.
    var link: (LaunchPendingLink, pads: [LaunchEnd.Pad])?
    /// Whether it is the first of the level around it.
    var isFirst = false
}
