-- breaking: no
-- Sign-ins to the portal that ended before their time, one or all of a person: copies of their cookies are refused.
create table portal_sign_outs (
  partition_key text collate "C" not null,
  id text collate "C" not null,
  etag bigint not null,
  body json not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint portal_sign_outs_pkey primary key (partition_key, id)
);
create index portal_sign_outs_by_id on portal_sign_outs (id, partition_key);
create index portal_sign_outs_expiry on portal_sign_outs (expires_at) where expires_at is not null;
