-- breaking: no
-- Planned maintenance, the sharing out of work among processes, and billing.

-- What is to be done to a cluster, and when. Leased like clusters, but in the order in which it is due.
create table maintenance_manifests (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  state text collate "C",
  created_by_schedule text collate "C",
  run_after bigint,
  due_at timestamptz,
  priority bigint,
  queued_at timestamptz,
  queue_position bigint,
  not_before timestamptz,
  lease_owner text,
  lease_generation bigint not null default 0,
  lease_expires timestamptz,
  attempts integer not null default 0,
  constraint maintenance_manifests_pkey primary key (partition_key, id)
) with (fillfactor = 70);
create index maintenance_manifests_by_id on maintenance_manifests (id, partition_key);
create index maintenance_manifests_by_schedule on maintenance_manifests (created_by_schedule, state, id);
create index maintenance_manifests_by_run_after on maintenance_manifests (run_after, id, partition_key);
create index maintenance_manifests_queue on maintenance_manifests (due_at, priority, queue_position)
  where queue_position is not null;
create trigger notify_write after insert or delete on maintenance_manifests
  for each row execute function notify_change();
create trigger notify_update after update on maintenance_manifests for each row
  when (old.etag <> new.etag or (old.lease_owner is not null and new.lease_owner is null))
  execute function notify_change();

create table maintenance_schedules (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint maintenance_schedules_pkey primary key (partition_key, id)
);
create index maintenance_schedules_by_id on maintenance_schedules (id, partition_key);
create trigger notify_write after insert or update or delete on maintenance_schedules
  for each row execute function notify_change();

-- Processes that say that they are alive: rows that are not renewed vanish. Nobody waits for them to change.
create table pool_workers (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint pool_workers_pkey primary key (partition_key, id)
) with (fillfactor = 70);
create index pool_workers_by_id on pool_workers (id, partition_key);
create index pool_workers_expiry on pool_workers (expires_at) where expires_at is not null;

-- Which of them has which buckets.
create table bucket_allocations (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint bucket_allocations_pkey primary key (partition_key, id)
);
create index bucket_allocations_by_id on bucket_allocations (id, partition_key);

create table billing (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  document_id text collate "C",
  constraint billing_pkey primary key (partition_key, id)
);
create index billing_by_id on billing (id, partition_key);
create unique index billing_document_id_unique on billing (document_id);
