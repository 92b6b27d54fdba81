import CSQLite

/// One SQLite file, opened for this process alone.
///
/// Thread: worker, one call at a time. `close` ends it; the last reference does so, too.
final class Database {
    private var handle: OpaquePointer?

    /// Waits for nobody: who has the file open may have it for long.
    /// - Parameter vfs: SQLite's way to the disk; tests bring one that fails.
    init(_ path: String, vfs: String? = nil) throws(StoreError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = sqlite3_open_v2(path, &handle, flags, vfs)
        guard status == SQLITE_OK else {
            let error = failure(status)
            close()
            throw error
        }
    }

    deinit { close() }

    /// All statements must be gone.
    func close() {
        guard let handle else { return }
        sqlite3_close_v2(handle)
        self.handle = nil
    }

    func execute(_ sql: String) throws(StoreError) {
        let status = sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw failure(status) }
    }

    func prepare(_ sql: String) throws(StoreError) -> Statement {
        var raw: OpaquePointer?
        let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &raw, nil)
        guard status == SQLITE_OK, let raw else { throw failure(status) }
        return Statement(raw, of: self)
    }

    /// One number that a query or a pragma gives.
    func number(_ sql: String) throws(StoreError) -> Int64 {
        let statement = try prepare(sql)
        guard try statement.next() else { return 0 }
        return statement.int(0)
    }

    /// From here on SQL knows `name`, a function of one number; nil is NULL.
    func define(_ name: String, _ body: @escaping (Int64) -> Int64?) throws(StoreError) {
        let function = NumberFunction(body)
        let status = sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8, Unmanaged.passRetained(function).toOpaque(),
            { context, count, values in
                guard let context, count == 1, let value = values?[0], let data = sqlite3_user_data(context) else {
                    return
                }
                let function = Unmanaged<NumberFunction>.fromOpaque(data).takeUnretainedValue()
                if let number = function.body(sqlite3_value_int64(value)) {
                    sqlite3_result_int64(context, number)
                } else {
                    sqlite3_result_null(context)
                }
            }, nil, nil, { $0.map { Unmanaged<NumberFunction>.fromOpaque($0).release() } })
        // SQLite has let go of it where it refused it.
        guard status == SQLITE_OK else { throw failure(status) }
    }

    private final class NumberFunction {
        let body: (Int64) -> Int64?

        init(_ body: @escaping (Int64) -> Int64?) { self.body = body }
    }

    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    func failure(_ status: Int32) -> StoreError {
        let words = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return StoreError(code: status, message: words ?? String(cString: sqlite3_errstr(status)))
    }
}
