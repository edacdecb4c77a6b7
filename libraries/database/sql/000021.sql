-- breaking: no
-- New documents come many in one statement: what listeners are told of them is noted once for all.
create function notify_creations() returns trigger language plpgsql as $$
begin
  if current_setting('keelson.notify', true) = 'later' then
    insert into pending_changes (payload)
      select case when octet_length(payload) < 8000 then payload else '' end from (
        select json_build_array(tg_table_name, partition_key, id)::text as payload from created
      ) changes;
  else
    perform pg_notify('keelson_documents', case when octet_length(payload) < 8000 then payload else '' end)
      from (select json_build_array(tg_table_name, partition_key, id)::text as payload from created) changes;
  end if;
  return null;
end
$$;

drop trigger notify_write on openshift_clusters;
create trigger notify_creation after insert on openshift_clusters
  referencing new table as created for each statement execute function notify_creations();
create trigger notify_removal after delete on openshift_clusters
  for each row execute function notify_change();

drop trigger notify_write on async_operations;
create trigger notify_creation after insert on async_operations
  referencing new table as created for each statement execute function notify_creations();
create trigger notify_write after update or delete on async_operations
  for each row execute function notify_change();
-- Operations are never listed by themselves.
drop index async_operations_by_id;
