import CSQLite

/// A prepared statement. Parameters count from 1, columns from 0.
///
/// Thread: as its database.
final class Statement {
    private let raw: OpaquePointer
    private let database: Database

    init(_ raw: OpaquePointer, of database: Database) {
        self.raw = raw
        self.database = database
    }

    deinit { sqlite3_finalize(raw) }

    @discardableResult
    func bind(_ index: Int32, _ value: Int64) -> Statement {
        sqlite3_bind_int64(raw, index, value)
        return self
    }

    @discardableResult
    func bind(_ index: Int32, _ text: String) -> Statement {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty text is no NULL.
                _ = mh_sqlite_bind_text(raw, index, characters.baseAddress ?? Self.empty, Int32(characters.count))
            }
        }
        return self
    }

    // Written once here, only read since; it lives as long as the process.
    private static nonisolated(unsafe) let empty: UnsafePointer<CChar> = {
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        memory.initialize(to: 0)
        return UnsafePointer(memory)
    }()

    /// Runs it to its end.
    func run() throws(StoreError) {
        while try next() {}
    }

    /// - Returns: whether there is a row; without one it may be bound and run anew.
    func next() throws(StoreError) -> Bool {
        let status = sqlite3_step(raw)
        if status == SQLITE_ROW { return true }
        let error = status == SQLITE_DONE ? nil : database.failure(status)
        sqlite3_reset(raw)
        if let error { throw error }
        return false
    }

    /// No further rows are wanted.
    func reset() { sqlite3_reset(raw) }

    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(raw, column) else { return "" }
        let count = Int(sqlite3_column_bytes(raw, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
