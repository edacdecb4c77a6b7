-- breaking: no
-- transaction: none
-- The index of the column that 000034 added.
create index concurrently if not exists portal_sessions_by_person on portal_sessions (person, id);
