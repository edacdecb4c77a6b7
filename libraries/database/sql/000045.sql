-- breaking: no
-- Log lines of steps of operations. One row for each step that logged a line.
create table step_logs (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  operation_id text collate "C",
  constraint step_logs_pkey primary key (partition_key, id)
);
create index step_logs_by_id on step_logs (id, partition_key);
create index step_logs_by_operation on step_logs (operation_id, id);
create index step_logs_expiry on step_logs (expires_at) where expires_at is not null;
