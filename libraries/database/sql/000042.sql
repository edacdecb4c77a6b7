-- breaking: no
-- Health of clusters as the monitor saw it, with the changes of its availability. One row for each cluster.
create table cluster_health (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint cluster_health_pkey primary key (partition_key, id)
);
create index cluster_health_by_id on cluster_health (id, partition_key);
create index cluster_health_expiry on cluster_health (expires_at) where expires_at is not null;
