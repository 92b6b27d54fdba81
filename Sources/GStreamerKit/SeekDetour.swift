/// Where a seek goes in place of sinks that are at rest: these take none, and what is before them must go to the new place, too.
struct SeekDetour {
    let sinks: [Element]
    /// Source pads that go on.
    let pads: [Pad]
}
