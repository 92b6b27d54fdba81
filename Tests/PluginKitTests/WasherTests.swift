import Testing

/// What `Washer` is tested in, one after the other: it remembers its last object.
@Suite(.serialized) enum WasherTests {}
