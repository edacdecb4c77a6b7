-- breaking: no
-- Which roles the operators of an OpenShift minor version need for their managed identities.
create table platform_workload_identity_role_sets (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  open_shift_version text collate "C",
  constraint platform_workload_identity_role_sets_pkey primary key (partition_key, id)
);
create unique index platform_workload_identity_role_sets_open_shift_version_unique
  on platform_workload_identity_role_sets (open_shift_version);
create index platform_workload_identity_role_sets_by_id on platform_workload_identity_role_sets (id, partition_key);
create trigger notify_write after insert or update or delete on platform_workload_identity_role_sets
  for each row execute function notify_change();
