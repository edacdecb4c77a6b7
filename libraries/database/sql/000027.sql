-- breaking: no
-- transaction: none
-- The index of the column that 000026 added.
create index concurrently if not exists portal_sessions_by_cluster on portal_sessions (cluster_key, id);
