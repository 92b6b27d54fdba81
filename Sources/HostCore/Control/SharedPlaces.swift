/// Places that all clients share, and who has how many of them.
///
/// Whoever comes by TCP or by the page's port gets a part of them at most: a token that may only look must not keep the
/// machine's own programs out, so the unix socket always has room.
/// - Thread: any. A value.
struct SharedPlaces: Sendable {
    /// One in so many may be had by clients that do not come by the unix socket; where that leaves a rest it is theirs.
    static let partFromAfar = 2

    let most: Int
    private(set) var taken = 0
    private(set) var takenFromAfar = 0

    /// - Parameter taken: the ways by which those came who have places already.
    init(_ most: Int, taken: some Sequence<RequestOrigin> = []) {
        self.most = most
        for origin in taken { take(origin) }
    }

    /// How many there are for who comes that way.
    func most(for origin: RequestOrigin) -> Int {
        origin == .local ? most : (most + Self.partFromAfar - 1) / Self.partFromAfar
    }

    /// - Parameter extra: places beyond the limit, for who goes soon.
    func hasRoom(for origin: RequestOrigin, extra: Int = 0) -> Bool {
        taken < most + extra && (origin == .local || takenFromAfar < most(for: origin))
    }

    mutating func take(_ origin: RequestOrigin) {
        taken += 1
        if origin != .local { takenFromAfar += 1 }
    }

    mutating func giveBack(_ origin: RequestOrigin) {
        taken -= 1
        if origin != .local { takenFromAfar -= 1 }
    }
}
