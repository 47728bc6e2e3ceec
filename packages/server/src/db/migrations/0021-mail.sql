-- Mail: what is waiting to be sent, who does not want which kind, addresses that do not exist, and links that prove an address.

lock table users in share row exclusive mode;

-- One row for each message. What it says is encrypted, because it may contain a link that gives access, and is deleted together
-- with the address as soon as the message is finished. The row stays for a while, so that one cause is one message.
create table mails (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What happened, once for each recipient.
  cause text collate "C" not null,
  -- The recipient: an account, whose address is looked up when the message is sent, or an address.
  user_id text,
  address text,
  -- In whose name it is sent. No foreign keys: nothing should wait for the queue.
  program_id bigint,
  advertiser_id bigint,
  content_sealed text,
  -- Part of the Message-ID, so that a repeated message can be recognized.
  message_key uuid not null default gen_random_uuid(),
  -- Lower numbers are sent first.
  priority smallint not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'skipped')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- When a node began to send it; null while no node does.
  claimed_at timestamptz,
  -- From when on it is not worth sending.
  expires_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index mails_by_cause on mails (kind, cause);
create index mails_due on mails (priority, due_at) where state = 'waiting';
-- How many people a workspace has invited by mail lately.
create index mails_of_workspaces on mails (advertiser_id, created_at) where advertiser_id is not null;
create index mails_finished on mails (finished_at) where state <> 'waiting';

-- Every node wakes up when a transaction that queued mail commits.
create function announce_mail() returns trigger language plpgsql as $$
begin
  perform pg_notify('svc_mail', '');
  return null;
end $$;
create trigger mails_announced after insert on mails for each statement execute function announce_mail();

-- Kinds that a person has switched off.
create table mail_preferences (
  user_id text not null references users on delete cascade,
  kind text not null,
  changed_at timestamptz not null,
  primary key (user_id, kind)
);

-- Addresses that a mail server has refused for good.
create table undeliverable_addresses (
  address text collate "C" primary key,
  reason text not null,
  since timestamptz not null
);

-- The weeks whose digests are queued, by their Monday.
create table digest_weeks (week date primary key);

-- Links that prove an address of an account. Only hashes are stored.
create table address_links (
  token_hash text collate "C" primary key,
  user_id text not null references users on delete cascade,
  -- 'verify' proves the address that the account has. 'old' and 'new' are the two halves of a change.
  purpose text not null check (purpose in ('verify', 'old', 'new')),
  -- The address that the link was sent to, and the one that the account gets.
  address text not null,
  new_address text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index address_links_by_user on address_links (user_id);
create index address_links_by_expiry on address_links (expires_at);

-- Where a user has signed in from before: a hash of browser, system and network.
create table known_devices (
  user_id text not null references users on delete cascade,
  device_hash text collate "C" not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_hash)
);
create index known_devices_by_time on known_devices (last_seen_at);
