-- breaking: no
-- Under which key a document's secrets were sealed by its last write, so that a rotation finds those under older
-- keys without reading all. Empty: not known, which counts as old.
alter table openshift_clusters add column sealed_key_id text collate "C" not null default '';
alter table async_operations add column sealed_key_id text collate "C" not null default '';

-- A commit that notifies keeps all others that do from being flushed to the disk together with it: PostgreSQL
-- notifies in the order of commits. Whoever will see to it afterwards notes the change in the same transaction
-- instead, and notifies once it is committed; should it die in between, others do it in its place.
create sequence change_position;
create table pending_changes (
  position bigint not null default nextval('change_position'),
  payload text not null,
  constraint pending_changes_pkey primary key (position)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_threshold = 2000000000,
  autovacuum_vacuum_cost_delay = 0
);

create or replace function notify_change() returns trigger language plpgsql as $$
declare
  payload text := case tg_op
    when 'DELETE' then json_build_array(tg_table_name, old.partition_key, old.id)
    else json_build_array(tg_table_name, new.partition_key, new.id)
  end;
begin
  if octet_length(payload) >= 8000 then payload := ''; end if;
  if current_setting('keelson.notify', true) = 'later' then
    insert into pending_changes (payload) values (payload);
  else
    perform pg_notify('keelson_documents', payload);
  end if;
  return null;
end
$$;

-- What is done once, by whichever process holds its lease.
create table background_jobs (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  queued_at timestamptz,
  queue_position bigint,
  not_before timestamptz,
  lease_owner text,
  lease_generation bigint not null default 0,
  lease_expires timestamptz,
  attempts integer not null default 0,
  constraint background_jobs_pkey primary key (partition_key, id)
) with (fillfactor = 70);
create index background_jobs_by_id on background_jobs (id, partition_key);
