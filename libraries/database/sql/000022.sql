-- breaking: no
-- transaction: none
-- Indexes of columns that 000008 and 000009 added, built while the service runs.

create index concurrently if not exists async_operations_newest
  on async_operations (open_shift_cluster_key, newest_first, id);
drop index concurrently if exists async_operations_by_cluster;

create index concurrently if not exists openshift_clusters_by_sealed_key
  on openshift_clusters (sealed_key_id, partition_key, id);
create index concurrently if not exists async_operations_by_sealed_key
  on async_operations (sealed_key_id, partition_key, id);

-- The queue has an index for unleased and one for leased documents. Moving each renewal in an index costs less than
-- a scan of all leased documents for expired leases.
create index concurrently if not exists openshift_clusters_free
  on openshift_clusters (queue_position, coalesce(not_before, '-infinity'))
  where queue_position is not null and lease_owner is null;
create index concurrently if not exists openshift_clusters_held
  on openshift_clusters (lease_expires)
  where queue_position is not null and lease_owner is not null;
drop index concurrently if exists openshift_clusters_queue;
