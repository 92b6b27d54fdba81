/// The tokens of the network, as their files have them.
struct AccessTokens: Sendable, Equatable {
    enum Level: Sendable, Equatable {
        /// GET and HEAD.
        case reading
        case everything
    }

    private let full: AccessToken?
    private let readOnly: AccessToken?

    init(full: AccessToken?, readOnly: AccessToken?) {
        self.full = full
        self.readOnly = readOnly
    }

    /// - Throws: as `AccessToken.read`; `invalid` where one token is to mean two things.
    static func read(_ settings: NetworkSettings) throws(ControlError) -> AccessTokens {
        let full = try settings.tokenFile.map { path throws(ControlError) in try AccessToken.read(path) }
        let readOnly = try settings.readOnlyTokenFile.map { path throws(ControlError) in try AccessToken.read(path) }
        guard full != nil || readOnly != nil else {
            throw ControlError(.invalid, "the control API does not listen on TCP without a token")
        }
        guard full != readOnly else {
            throw ControlError(
                .invalid, "`token-file` and `read-only-token-file` hold the same token: make another one")
        }
        return AccessTokens(full: full, readOnly: readOnly)
    }

    /// Both are compared, whatever the first says.
    func level(of given: [UInt8]) -> Level? {
        let isFull = full?.matches(given) ?? false
        let isReadOnly = readOnly?.matches(given) ?? false
        return isFull ? .everything : isReadOnly ? .reading : nil
    }
}
