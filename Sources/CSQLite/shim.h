#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the text before this returns. */
static inline int mh_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int size) {
    return sqlite3_bind_text(statement, index, text, size, SQLITE_TRANSIENT);
}
