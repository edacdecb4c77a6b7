-- breaking: no
-- Sessions of one person, to list and end them. Sessions of older programs lack the column and are not listed for a person, for
-- the six hours that they live.
alter table portal_sessions add column person text collate "C";
