-- breaking: no
-- What the portal lets administrators do to a cluster for a while: each document is found by the hash of its token.
create table portal_sessions (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint portal_sessions_pkey primary key (partition_key, id)
);
create index portal_sessions_by_id on portal_sessions (id, partition_key);
create index portal_sessions_expiry on portal_sessions (expires_at) where expires_at is not null;
