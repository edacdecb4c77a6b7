-- breaking: no
-- What administrators' actions write is sealed. What older programs wrote in the clear vanishes within seven days; such
-- an action is not continued by another process.
alter table admin_actions add column sealed_key_id text collate "C" not null default '';
