-- breaking: no
-- transaction: none
-- The index of the column that 000023 added.
create index concurrently if not exists admin_actions_by_sealed_key
  on admin_actions (sealed_key_id, partition_key, id);
