import CSQLite

/// Why the store did not do what was asked; the words are SQLite's.
struct StoreError: Error, Equatable {
    /// SQLite's result code, extended.
    var code: Int32
    var message: String

    /// The file is no store, or its pages or rows make no sense.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xff) }

    /// What SQL says of tables and rows that are not as they should be.
    var isOfContent: Bool { [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(code & 0xff) }

    /// Another process has it.
    var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xff) }

    /// Nothing that time mends: what this program itself says.
    var isForGood: Bool { code == SQLITE_ERROR }

    /// There is no way to the file now.
    static func unreachable(_ why: String) -> StoreError { StoreError(code: SQLITE_CANTOPEN, message: why) }

    /// Rows that no version of this program writes.
    static func damaged(_ what: String) -> StoreError { StoreError(code: SQLITE_CORRUPT, message: what) }
}
