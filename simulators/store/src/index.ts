export { type ChangeOwner, GroupCommit, type PendingChange } from "./group-commit.ts";
export { type Journal, type JournalRecord, type LogRecord, memoryJournal } from "./journal.ts";
export { newestRevision, raiseRevisions } from "./revision-floor.ts";
export { openSqliteJournal, type SqliteJournal } from "./sqlite-journal.ts";
