/* SQLite writes each frame of a write-ahead log with two system calls, one for its header of 24
   bytes and one for its page. A commit of a few hundred frames spends more time on entering the
   kernel than on anything else that it does. So here the frames of a commit are gathered, and
   written together with the last one, which commits: no connection looks for the others before it.

   It is a VFS in front of the system's that changes one thing, how such a log is written
   (https://www.sqlite.org/vfs.html). The format of a log and of its frames is described in
   https://www.sqlite.org/fileformat2.html#the_write_ahead_log. */
#include "write_ahead_log.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* The most that the system's VFS writes at once: it takes 17 bits of a length. */
    GATHERED_BYTES = (1 << 17) - 1,
    FRAME_HEADER_BYTES = 24,
    /* Where a header has the size of the database after the commit: zero in all frames but the last
       of a transaction. */
    SIZE_BEGIN = 4,
    SIZE_END = 8,
};

/* What the next write is, judging by the last one. */
enum expected { ANYTHING, PAGE, COMMITTING_PAGE };

struct log_file {
    sqlite3_file shown;
    enum expected expected;
    /* Where in the file the gathered bytes belong, and how many there are. */
    sqlite3_int64 begin;
    int count;
    unsigned char *gathered;
    /* The system's file, in the memory after this struct. */
    sqlite3_file inner[];
};

static sqlite3_vfs *system_vfs;
static _Thread_local bool is_committing;
/* The log that this thread gathers for; NULL while nothing is gathered. */
static _Thread_local struct log_file *filled;

static struct log_file *log_of(sqlite3_file *file)
{
    return (struct log_file *)file;
}

static void discard(struct log_file *log)
{
    log->count = 0;
    log->expected = ANYTHING;
    if (filled == log)
        filled = NULL;
}

/* Writes what was gathered. When that fails, SQLite undoes the transaction. */
static int flush(struct log_file *log)
{
    int count = log->count;
    discard(log);
    return count == 0
        ? SQLITE_OK
        : log->inner->pMethods->xWrite(log->inner, log->gathered, count, log->begin);
}

static enum expected page_after(const unsigned char *header)
{
    for (int i = SIZE_BEGIN; i < SIZE_END; i++)
        if (header[i] != 0)
            return COMMITTING_PAGE;
    return PAGE;
}

static int write_through(
    struct log_file *log, const void *bytes, int count, sqlite3_int64 offset)
{
    int code = flush(log);
    return code != SQLITE_OK ? code
                             : log->inner->pMethods->xWrite(log->inner, bytes, count, offset);
}

static bool has_memory(struct log_file *log)
{
    if (log->gathered == NULL)
        log->gathered = malloc(GATHERED_BYTES);
    return log->gathered != NULL;
}

/* Adds bytes to the gathered ones. If they don't follow those, or there is no room for both, the
   earlier ones are written first; when that fails, the commit has failed. */
static int gather(struct log_file *log, const void *bytes, int count, sqlite3_int64 offset)
{
    if (offset != log->begin + log->count || count > GATHERED_BYTES - log->count) {
        int code = flush(log);
        if (code != SQLITE_OK)
            return code;
    }
    if (log->count == 0)
        log->begin = offset;
    memcpy(log->gathered + log->count, bytes, (size_t)count);
    log->count += count;
    filled = log;
    return SQLITE_OK;
}

static int write_log(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    struct log_file *log = log_of(file);
    enum expected expected = log->expected;
    bool is_header = expected == ANYTHING && count == FRAME_HEADER_BYTES;
    int code;
    if (filled != NULL && filled != log) {
        code = flush(filled);
        if (code != SQLITE_OK)
            return code;
    }
    /* Anything but a header and the page that it announces goes to the file at once. */
    if (!is_committing || (expected == ANYTHING && !is_header))
        return write_through(log, bytes, count, offset);
    if (count > GATHERED_BYTES || !has_memory(log)) {
        /* Don't gather from the middle of this commit: it may be past its last frame. */
        is_committing = false;
        return write_through(log, bytes, count, offset);
    }
    code = gather(log, bytes, count, offset);
    if (code != SQLITE_OK)
        return code;
    log->expected = is_header ? page_after(bytes) : ANYTHING;
    if (expected != COMMITTING_PAGE)
        return SQLITE_OK;
    /* SQLite may change headers of earlier frames now. */
    is_committing = false;
    return flush(log);
}

static int close_log(sqlite3_file *file)
{
    struct log_file *log = log_of(file);
    int written = flush(log);
    free(log->gathered);
    log->gathered = NULL;
    int closed = log->inner->pMethods->xClose(log->inner);
    return written != SQLITE_OK ? written : closed;
}

static int read_log(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    struct log_file *log = log_of(file);
    int code = flush(log);
    return code != SQLITE_OK ? code : log->inner->pMethods->xRead(log->inner, bytes, count, offset);
}

static int truncate_log(sqlite3_file *file, sqlite3_int64 size)
{
    struct log_file *log = log_of(file);
    int code = flush(log);
    return code != SQLITE_OK ? code : log->inner->pMethods->xTruncate(log->inner, size);
}

static int sync_log(sqlite3_file *file, int flags)
{
    struct log_file *log = log_of(file);
    int code = flush(log);
    return code != SQLITE_OK ? code : log->inner->pMethods->xSync(log->inner, flags);
}

static int size_of_log(sqlite3_file *file, sqlite3_int64 *size)
{
    struct log_file *log = log_of(file);
    int code = flush(log);
    return code != SQLITE_OK ? code : log->inner->pMethods->xFileSize(log->inner, size);
}

static int lock_log(sqlite3_file *file, int level)
{
    sqlite3_file *inner = log_of(file)->inner;
    return inner->pMethods->xLock(inner, level);
}

static int unlock_log(sqlite3_file *file, int level)
{
    sqlite3_file *inner = log_of(file)->inner;
    return inner->pMethods->xUnlock(inner, level);
}

static int is_log_reserved(sqlite3_file *file, int *is_reserved)
{
    sqlite3_file *inner = log_of(file)->inner;
    return inner->pMethods->xCheckReservedLock(inner, is_reserved);
}

static int control_log(sqlite3_file *file, int operation, void *argument)
{
    sqlite3_file *inner = log_of(file)->inner;
    return inner->pMethods->xFileControl(inner, operation, argument);
}

static int sector_bytes_of_log(sqlite3_file *file)
{
    sqlite3_file *inner = log_of(file)->inner;
    return inner->pMethods->xSectorSize(inner);
}

static int characteristics_of_log(sqlite3_file *file)
{
    sqlite3_file *inner = log_of(file)->inner;
    return inner->pMethods->xDeviceCharacteristics(inner);
}

/* SQLite uses only the methods of the first version for a log. */
static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = size_of_log,
    .xLock = lock_log,
    .xUnlock = unlock_log,
    .xCheckReservedLock = is_log_reserved,
    .xFileControl = control_log,
    .xSectorSize = sector_bytes_of_log,
    .xDeviceCharacteristics = characteristics_of_log,
};

static int open_file(
    sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *flags_out)
{
    (void)vfs;
    if (!(flags & SQLITE_OPEN_WAL))
        return system_vfs->xOpen(system_vfs, path, file, flags, flags_out);
    struct log_file *log = log_of(file);
    memset(log, 0, sizeof *log);
    log->inner->pMethods = NULL;
    int code = system_vfs->xOpen(system_vfs, path, log->inner, flags, flags_out);
    /* SQLite closes whatever has methods, even when it could not be opened. */
    if (log->inner->pMethods != NULL)
        log->shown.pMethods = &log_methods;
    return code;
}

static void register_vfs(void)
{
    static sqlite3_vfs vfs;
    if (sqlite3_initialize() != SQLITE_OK)
        return;
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL)
        return;
    vfs = *system_vfs;
    vfs.zName = "steward";
    vfs.szOsFile += (int)sizeof(struct log_file);
    vfs.xOpen = open_file;
    (void)sqlite3_vfs_register(&vfs, 1);
}

void write_ahead_log_install(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, register_vfs);
}

void write_ahead_log_begin_commit(void)
{
    is_committing = true;
}

void write_ahead_log_end_commit(void)
{
    is_committing = false;
    if (filled != NULL)
        discard(filled);
}
