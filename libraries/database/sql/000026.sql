-- breaking: no
-- The portal's sessions of one cluster, to list them and to end one. Those that older programs open are not found this
-- way, for the six hours that they live.
alter table portal_sessions add column cluster_key text collate "C";
