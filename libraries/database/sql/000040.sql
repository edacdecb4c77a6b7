-- breaking: no
-- Workers take subscriptions in turn. `turn` is null for a document in the order of its entry, 0 for one whose worker
-- stopped in the middle of its work, and otherwise the moment when its subscription was served last, in the numbers of
-- queue_position. Older programs neither read nor write it: beside them the order is that of entries.
alter table openshift_clusters add column turn bigint;

-- Leases up to `wanted` documents. Those that a worker has begun come first, in the order of their entry. Then each
-- subscription gets one document a round, the subscription that waits longest first, and never has more than
-- `most_running` documents with a lease. One call at a time, so that no two count the same running documents; each
-- statement of a volatile function sees what was committed before it.
create function acquire_openshift_clusters(
  new_owner text, ttl_seconds double precision, wanted bigint, most_running bigint
) returns setof openshift_clusters language plpgsql as $$
declare
  begun bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('keelson queue openshift_clusters', 0));
  return query
  with lapsed as materialized (
    select c.partition_key, c.id, c.queue_position from openshift_clusters c
    where c.queue_position is not null and c.lease_owner is not null and c.lease_expires <= now()
      and coalesce(c.not_before, '-infinity') <= now()
    order by c.queue_position limit wanted for update skip locked
  ), stopped as materialized (
    select c.partition_key, c.id, c.queue_position from openshift_clusters c
    where c.queue_position is not null and c.lease_owner is null and c.turn = 0
      and coalesce(c.not_before, '-infinity') <= now()
    order by c.queue_position limit wanted for update skip locked
  ), picked as materialized (
    select ordered.partition_key, ordered.id, nextval('lease_generation') as generation from (
      select * from lapsed union all select * from stopped order by queue_position limit wanted
    ) ordered
  )
  update openshift_clusters t set lease_owner = new_owner, lease_generation = picked.generation, turn = null,
    lease_expires = clock_timestamp() + make_interval(secs => ttl_seconds), attempts = t.attempts + 1
  from picked where t.partition_key = picked.partition_key and t.id = picked.id returning t.*;
  get diagnostics begun = row_count;
  if begun >= wanted then
    return;
  end if;

  return query
  with recursive waiting (partition_key) as (
    select min(c.partition_key) from openshift_clusters c
    where c.queue_position is not null and c.lease_owner is null
    union all
    select (
      select min(c.partition_key) from openshift_clusters c
      where c.queue_position is not null and c.lease_owner is null and c.partition_key > w.partition_key
    ) from waiting w where w.partition_key is not null
  ), ring as (
    select w.partition_key, state.room, coalesce(state.served, head.queue_position) as turn
    from waiting w
    cross join lateral (
      select most_running - (
        select count(*) from (
          select 1 from openshift_clusters c
          where c.partition_key = w.partition_key and c.queue_position is not null and c.lease_owner is not null
          limit most_running
        ) running
      ) - (
        select count(*) from openshift_clusters c
        where c.partition_key = w.partition_key and c.queue_position is not null and c.lease_owner is null
          and c.turn = 0
      ) as room, (
        select max(c.turn) from openshift_clusters c
        where c.partition_key = w.partition_key and c.queue_position is not null and c.lease_owner is null
          and c.turn > 0
      ) as served
    ) state
    cross join lateral (
      select c.queue_position from openshift_clusters c
      where c.partition_key = w.partition_key and c.queue_position is not null and c.lease_owner is null
        and coalesce(c.not_before, '-infinity') <= now() and c.turn is distinct from 0
      order by c.queue_position limit 1
    ) head
    where w.partition_key is not null and state.room > 0
    order by 3 limit wanted - begun
  ), offered as materialized (
    select r.partition_key, r.turn, c.id, row_number() over (partition by r.partition_key order by c.queue_position) as round
    from ring r cross join lateral (
      select c.id, c.queue_position from openshift_clusters c
      where c.partition_key = r.partition_key and c.queue_position is not null and c.lease_owner is null
        and coalesce(c.not_before, '-infinity') <= now() and c.turn is distinct from 0
      order by c.queue_position limit least(r.room, wanted - begun) for update skip locked
    ) c
  ), picked as materialized (
    select ordered.*, nextval('lease_generation') as generation from (
      select * from offered order by round, turn limit wanted - begun
    ) ordered
  ), served as materialized (
    select ordered.partition_key, nextval('queue_position') as turn from (
      select p.partition_key from picked p group by p.partition_key order by max(p.round), min(p.turn)
    ) ordered
  ), next_in_line as materialized (
    select s.partition_key, s.turn, c.id from served s cross join lateral (
      select c.id from openshift_clusters c
      where c.partition_key = s.partition_key and c.queue_position is not null and c.lease_owner is null
        and c.turn is distinct from 0
        and not exists (select 1 from picked p where p.partition_key = c.partition_key and p.id = c.id)
      order by c.queue_position limit 1 for update skip locked
    ) c
  ), marked as (
    update openshift_clusters t set turn = n.turn
    from next_in_line n where t.partition_key = n.partition_key and t.id = n.id
  )
  update openshift_clusters t set lease_owner = new_owner, lease_generation = picked.generation, turn = null,
    lease_expires = clock_timestamp() + make_interval(secs => ttl_seconds), attempts = t.attempts + 1
  from picked where t.partition_key = picked.partition_key and t.id = picked.id returning t.*;
end
$$;

-- Makes a commit fail that would queue more than `most` documents of one subscription. Commits of one subscription that
-- ask wait for each other, so that no two count the same room.
create function require_room_in_openshift_clusters(subscription text, added bigint, most bigint) returns text
language plpgsql as $$
declare
  queued bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('keelson room openshift_clusters ' || subscription, 0));
  select (
    select count(*) from openshift_clusters c
    where c.partition_key = subscription and c.queue_position is not null and c.lease_owner is null
  ) + (
    select count(*) from openshift_clusters c
    where c.partition_key = subscription and c.queue_position is not null and c.lease_owner is not null
  ) into queued;
  if queued + added > most then
    raise exception '% documents are queued', queued using errcode = 'KE002';
  end if;
  return '';
end
$$;
