-- breaking: no
-- Tokens of sign-ins to the portal, sealed. One row for each sign-in.
create table portal_sign_ins (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  sealed_key_id text collate "C" not null default '',
  constraint portal_sign_ins_pkey primary key (partition_key, id)
);
create index portal_sign_ins_by_id on portal_sign_ins (id, partition_key);
create index portal_sign_ins_by_sealed_key on portal_sign_ins (sealed_key_id, partition_key, id);
create index portal_sign_ins_expiry on portal_sign_ins (expires_at) where expires_at is not null;

-- Actions that people requested in the portal, with their confirmation and approval.
create table portal_action_requests (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  cluster_key text collate "C",
  newest_first bigint,
  sealed_key_id text collate "C" not null default '',
  constraint portal_action_requests_pkey primary key (partition_key, id)
);
create index portal_action_requests_by_id on portal_action_requests (id, partition_key);
create index portal_action_requests_by_cluster on portal_action_requests (cluster_key, newest_first, id);
create index portal_action_requests_by_sealed_key
  on portal_action_requests (sealed_key_id, partition_key, id);
create index portal_action_requests_expiry on portal_action_requests (expires_at) where expires_at is not null;

-- Elevations with an end, one row for each person.
create table portal_elevations (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint portal_elevations_pkey primary key (partition_key, id)
);
create index portal_elevations_by_id on portal_elevations (id, partition_key);
create index portal_elevations_expiry on portal_elevations (expires_at) where expires_at is not null;
