#ifndef WRITE_AHEAD_LOG_H
#define WRITE_AHEAD_LOG_H

/* Makes the commits between `write_ahead_log_begin_commit` and `write_ahead_log_end_commit` write
   their frames in few large pieces, in every file that the process opens with SQLite from now on.
   May be called from any thread, and more than once. When it fails, each frame is written by
   itself, as without it. */
void write_ahead_log_install(void);

/* What this thread writes to a write-ahead log is gathered from now on, until the frame that
   commits. */
void write_ahead_log_begin_commit(void);

/* Ends what `write_ahead_log_begin_commit` began. After a commit that failed, it discards what was
   gathered: SQLite has undone it. */
void write_ahead_log_end_commit(void);

#endif
