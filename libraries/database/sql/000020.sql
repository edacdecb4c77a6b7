-- breaking: no
-- Which cluster is behind which private link at the gateway. One that is retired is gone a minute later, once every
-- gateway has seen the change.
create table gateways (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint gateways_pkey primary key (partition_key, id)
);
create index gateways_by_id on gateways (id, partition_key);
create index gateways_expiry on gateways (expires_at) where expires_at is not null;
