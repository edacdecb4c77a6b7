-- breaking: no
-- Gateways follow which cluster is behind which private link.
create trigger notify_write after insert or update or delete on gateways
  for each row execute function notify_change();
