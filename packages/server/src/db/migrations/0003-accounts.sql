-- Who signs in. Users, sessions, sign_ins, verifications, signing_keys and sign_in_attempts are the sign-in library's, with
-- its columns; the rest is ours.

create table users (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  suspended_at timestamptz
);

create table sessions (
  id text primary key,
  token text not null unique,
  user_id text not null references users on delete cascade,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id);

create table sign_ins (
  id text primary key,
  account_id text not null,
  provider_id text not null,
  user_id text not null references users on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sign_ins_by_user on sign_ins (user_id);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_by_identifier on verifications (identifier);

create table signing_keys (
  id text primary key,
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  alg text,
  crv text
);

create table sign_in_attempts (
  id text primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- A person belongs to one workspace (advertiser) as its owner or a member.
create table workspace_members (
  user_id text primary key references users on delete cascade,
  advertiser_id bigint not null references advertisers,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null
);
create index workspace_members_by_advertiser on workspace_members (advertiser_id);

-- A partner's own account, once they have accepted an invitation.
alter table partners add column user_id text references users on delete set null;
create unique index partners_by_user on partners (advertiser_id, user_id) where user_id is not null;

create table invitations (
  id bigint generated always as identity primary key,
  advertiser_id bigint not null references advertisers,
  partner_id bigint references partners on delete cascade,
  role text not null check (role in ('owner', 'member', 'partner')),
  email text not null,
  token_hash text collate "C" not null unique,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  created_at timestamptz not null,
  check ((role = 'partner') = (partner_id is not null))
);
create index invitations_by_advertiser on invitations (advertiser_id, id);

-- No foreign key on the user: a token whose account is gone is told so.
create table account_tokens (
  id bigint generated always as identity primary key,
  user_id text not null,
  token_hash text collate "C" not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index account_tokens_by_user on account_tokens (user_id);

create table cli_sessions (
  state_hash text collate "C" primary key,
  user_code text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  user_id text,
  consumed_at timestamptz
);
create index cli_sessions_by_expiry on cli_sessions (expires_at);

alter table programs add column slug text;
update programs set slug = 'program-' || id;
alter table programs alter column slug set not null;
create unique index programs_by_slug on programs (slug);

create table chain_runs (
  program_id bigint not null references programs,
  ran_at timestamptz not null
);
create index chain_runs_by_program on chain_runs (program_id, ran_at);

-- A program's payment processor. The signing secret is encrypted with a key that is not in the database.
create table processor_connections (
  program_id bigint primary key references programs,
  provider text not null check (provider in ('stripe')),
  account_id text,
  secret_encrypted text not null,
  connected_at timestamptz not null
);
