-- breaking: no
-- What administrators' actions write is sealed. What older programs wrote in the clear vanishes within seven days; such
-- an action is not continued by another process.
alter table admin_actions add column sealed_key_id text collate "C" not null default '';
create index admin_actions_by_sealed_key on admin_actions (sealed_key_id, partition_key, id);
