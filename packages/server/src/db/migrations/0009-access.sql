-- Who gave whom access, until when, and what it was used for.

-- Tokens have a name and a last use, so that their owner can tell them apart and end one.
alter table account_tokens add column name text;
alter table account_tokens add column last_used_at timestamptz;
create index account_tokens_by_expiry on account_tokens (expires_at);

-- The terminal's own name for itself, which its token gets.
alter table cli_sessions add column device_name text;
create index cli_sessions_by_user on cli_sessions (user_id) where user_id is not null and consumed_at is null;

-- An invitation ends with the rights of the person who made it. The operator's have nobody here.
alter table invitations add column invited_by text;
-- Whoever holds the link of an open one may accept it; the others are for the account with their address.
alter table invitations add column open_link boolean not null default false;
-- Whether accepting it takes the partner away from the account that has them.
alter table invitations add column replaces_account boolean not null default false;
create index invitations_by_inviter on invitations (invited_by) where accepted_at is null;
create index invitations_by_partner on invitations (partner_id);
create index invitations_by_expiry on invitations (expires_at);

-- When the partner went from one account to another, and from which.
alter table partners add column account_changed_at timestamptz;
alter table partners add column previous_user_id text;
create index partners_by_previous_user on partners (previous_user_id) where previous_user_id is not null;

-- A person of an outside issuer is known by the issuer's name for them, not by an address that may change hands.
create unique index sign_ins_by_issuer on sign_ins (provider_id, account_id) where provider_id <> 'credential';

create index sessions_by_expiry on sessions (expires_at);
create index verifications_by_expiry on verifications (expires_at);
create index sign_in_attempts_by_time on sign_in_attempts (last_request);

-- Who changed what, for good: nothing updates or deletes these rows. Secrets are never in them. No foreign keys: the row
-- outlives what it is about.
create table audit_events (
  id bigint generated always as identity primary key,
  advertiser_id bigint,
  -- Null for the operator and for the service itself.
  user_id text,
  action text not null,
  subject text not null,
  subject_id text not null,
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  request_id text,
  created_at timestamptz not null
);
create index audit_events_by_advertiser on audit_events (advertiser_id, id);
