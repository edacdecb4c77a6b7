-- breaking: no
-- Portals follow the health of clusters.
create trigger notify_write after insert or update or delete on cluster_health
  for each row execute function notify_change();
