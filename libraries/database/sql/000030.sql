-- breaking: no
-- What administrators saw and did by SSH on masters: a recording for each channel, sealed.
create table ssh_recordings (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  sealed_key_id text collate "C" not null default '',
  cluster_key text collate "C",
  newest_first bigint,
  constraint ssh_recordings_pkey primary key (partition_key, id)
);
create index ssh_recordings_by_id on ssh_recordings (id, partition_key);
create index ssh_recordings_by_cluster on ssh_recordings (cluster_key, newest_first, id);
create index ssh_recordings_by_sealed_key on ssh_recordings (sealed_key_id, partition_key, id);
create index ssh_recordings_expiry on ssh_recordings (expires_at) where expires_at is not null;
