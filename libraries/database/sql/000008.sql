-- breaking: no
-- The history of a cluster's operations, the newest first. Older programs leave the column empty; then an operation is
-- missing there, for the week that it lives.
alter table async_operations add column newest_first bigint;

-- One row, written with every change of the default version: of two changes at once one is a conflict.
create table openshift_default_version (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint openshift_default_version_pkey primary key (partition_key, id)
);
create index openshift_default_version_by_id on openshift_default_version (id, partition_key);
