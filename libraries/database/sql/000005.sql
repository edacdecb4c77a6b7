-- breaking: no
-- What administrators do to clusters: who, what, how far, and that no two change one cluster at once.
create table admin_actions (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  open_shift_cluster_key text collate "C",
  lock_key text collate "C",
  newest_first bigint,
  queued_at timestamptz,
  queue_position bigint,
  not_before timestamptz,
  lease_owner text,
  lease_generation bigint not null default 0,
  lease_expires timestamptz,
  attempts integer not null default 0,
  constraint admin_actions_pkey primary key (partition_key, id)
) with (fillfactor = 70);
create unique index admin_actions_lock_key_unique on admin_actions (lock_key);
create index admin_actions_by_id on admin_actions (id, partition_key);
create index admin_actions_by_cluster on admin_actions (open_shift_cluster_key, newest_first, id);
create index admin_actions_queue on admin_actions (queue_position) where queue_position is not null;
create index admin_actions_expiry on admin_actions (expires_at) where expires_at is not null;
create trigger notify_write after insert or delete on admin_actions
  for each row execute function notify_change();
create trigger notify_update after update on admin_actions for each row
  when (old.etag <> new.etag or (old.lease_owner is not null and new.lease_owner is null))
  execute function notify_change();
