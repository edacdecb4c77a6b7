-- breaking: no
-- The collections of the service, one table each.
--
-- body is json, not jsonb: jsonb refuses \u0000 and unpaired surrogates, and reorders members.
-- Text that is compared has collation "C", so that an ordinary index serves prefixes and paging.

-- Versions of documents. Global, so that a document made anew never has the version of its predecessor.
create sequence document_etag;

-- Generations of leases. Global for the same reason.
create sequence lease_generation;

-- The order of the queues. Not the time of entry, of which two documents may share one.
create sequence queue_position;

-- Makes a statement fail, and so change nothing, when one of its writes had no effect.
create function require_effect(effect text, write integer) returns text language plpgsql as $$
begin
  if effect is null then
    raise exception 'write % had no effect', write using errcode = 'KE001', detail = write;
  end if;
  return effect;
end
$$;

-- Tells listeners which document changed. A payload has less than 8,000 bytes; an empty one says "anything".
create function notify_change() returns trigger language plpgsql as $$
declare
  payload text := case tg_op
    when 'DELETE' then json_build_array(tg_table_name, old.partition_key, old.id)
    else json_build_array(tg_table_name, new.partition_key, new.id)
  end;
begin
  perform pg_notify('keelson_documents', case when octet_length(payload) < 8000 then payload else '' end);
  return null;
end
$$;

create table openshift_clusters (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  key text collate "C",
  cluster_resource_group_id_key text collate "C",
  client_id_key text collate "C",
  queued_at timestamptz,
  queue_position bigint,
  not_before timestamptz,
  lease_owner text,
  lease_generation bigint not null default 0,
  lease_expires timestamptz,
  attempts integer not null default 0,
  constraint openshift_clusters_pkey primary key (partition_key, id)
) with (fillfactor = 70);
create unique index openshift_clusters_key_unique on openshift_clusters (key);
create unique index openshift_clusters_cluster_resource_group_id_key_unique
  on openshift_clusters (cluster_resource_group_id_key);
create unique index openshift_clusters_client_id_key_unique on openshift_clusters (client_id_key);
create index openshift_clusters_by_id on openshift_clusters (id, partition_key);
create index openshift_clusters_by_key on openshift_clusters (partition_key, key, id);
create index openshift_clusters_queue on openshift_clusters (queue_position) where queue_position is not null;

create table async_operations (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  open_shift_cluster_key text collate "C",
  constraint async_operations_pkey primary key (partition_key, id)
);
create index async_operations_by_id on async_operations (id, partition_key);
create index async_operations_by_cluster on async_operations (open_shift_cluster_key, id);
create index async_operations_expiry on async_operations (expires_at) where expires_at is not null;

create table journal (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  operation_id text collate "C",
  open_shift_cluster_key text collate "C",
  constraint journal_pkey primary key (partition_key, id)
);
create index journal_by_id on journal (id, partition_key);
create index journal_by_operation on journal (operation_id, id);
create index journal_by_cluster on journal (open_shift_cluster_key, id);
create index journal_expiry on journal (expires_at) where expires_at is not null;

create table subscriptions (
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
  constraint subscriptions_pkey primary key (partition_key, id)
) with (fillfactor = 70);
create index subscriptions_by_id on subscriptions (id, partition_key);
create index subscriptions_queue on subscriptions (queue_position) where queue_position is not null;

create table openshift_versions (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  version text collate "C",
  constraint openshift_versions_pkey primary key (partition_key, id)
);
create unique index openshift_versions_version_unique on openshift_versions (version);
create index openshift_versions_by_id on openshift_versions (id, partition_key);

-- A renewed lease is no change of the document; a lease given back is, for workers that wait for one.
create trigger notify_write after insert or delete on openshift_clusters
  for each row execute function notify_change();
create trigger notify_update after update on openshift_clusters for each row
  when (old.etag <> new.etag or (old.lease_owner is not null and new.lease_owner is null))
  execute function notify_change();
create trigger notify_write after insert or delete on subscriptions
  for each row execute function notify_change();
create trigger notify_update after update on subscriptions for each row
  when (old.etag <> new.etag or (old.lease_owner is not null and new.lease_owner is null))
  execute function notify_change();
create trigger notify_write after insert or update or delete on async_operations
  for each row execute function notify_change();
create trigger notify_write after insert or update or delete on journal
  for each row execute function notify_change();
create trigger notify_write after insert or update or delete on openshift_versions
  for each row execute function notify_change();
