-- breaking: no
-- transaction: none
-- Indexes of the queue by subscription, built while the service runs. The cost of an acquisition grows with the number
-- of subscriptions that wait, not with that of documents.
create index concurrently if not exists openshift_clusters_waiting
  on openshift_clusters (partition_key, queue_position)
  where queue_position is not null and lease_owner is null;
create index concurrently if not exists openshift_clusters_running
  on openshift_clusters (partition_key)
  where queue_position is not null and lease_owner is not null;
create index concurrently if not exists openshift_clusters_turns
  on openshift_clusters (partition_key, turn)
  where queue_position is not null and lease_owner is null and turn is not null;
create index concurrently if not exists openshift_clusters_stopped
  on openshift_clusters (queue_position)
  where queue_position is not null and lease_owner is null and turn = 0;
drop index concurrently if exists openshift_clusters_free;
