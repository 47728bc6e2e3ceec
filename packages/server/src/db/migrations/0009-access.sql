-- Who gave access to whom, until when, and when it was used.

lock table partners, invitations, account_tokens, cli_sessions in access exclusive mode;
lock table sign_ins, sessions, verifications, sign_in_attempts in share mode;

-- Tokens have a name and a last use, so that their owner can tell them apart and revoke one.
alter table account_tokens add column name text;
alter table account_tokens add column last_used_at timestamptz;
create index account_tokens_by_expiry on account_tokens (expires_at);

-- The name that the terminal reports, which its token gets.
alter table cli_sessions add column device_name text;
create index cli_sessions_by_user on cli_sessions (user_id) where user_id is not null and consumed_at is null;

-- An invitation ends with the rights of the user who created it. Null for invitations from the operator.
alter table invitations add column invited_by text;
-- Anyone with an open link may accept it; other invitations are for the account with their address.
alter table invitations add column open_link boolean not null default false;
-- Whether accepting it takes the partner away from their current account.
alter table invitations add column replaces_account boolean not null default false;
create index invitations_by_inviter on invitations (invited_by) where accepted_at is null;
create index invitations_by_partner on invitations (partner_id);
create index invitations_by_expiry on invitations (expires_at);

-- When the partner was handed over to another account, and the account before that.
alter table partners add column account_changed_at timestamptz;
alter table partners add column previous_user_id text;
create index partners_by_previous_user on partners (previous_user_id) where previous_user_id is not null;

-- A user of an outside issuer is identified by the issuer's subject, not by an address that may be reassigned.
create unique index sign_ins_by_issuer on sign_ins (provider_id, account_id) where provider_id <> 'credential';

create index sessions_by_expiry on sessions (expires_at);
create index verifications_by_expiry on verifications (expires_at);
create index sign_in_attempts_by_time on sign_in_attempts (last_request);

-- Who changed what. These rows are never updated or deleted, and never contain secrets. No foreign keys: a row outlives
-- its subject.
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
