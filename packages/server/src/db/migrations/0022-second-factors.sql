-- Second factors of accounts, when a session last proved who uses it, and workspaces that require a second factor.

lock table users, sessions, advertisers in access exclusive mode;

-- An authenticator app: its secret and the recovery codes, both encrypted with a key that is not in the database. It counts
-- once it is verified with a code. The columns are the sign-in library's.
create table second_factors (
  id text primary key,
  user_id text not null unique references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

-- Public keys. The columns are the sign-in library's, except for the last use.
create table passkeys (
  id text primary key,
  user_id text not null references users on delete cascade,
  name text,
  public_key text not null,
  credential_id text collate "C" not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- Whether a password alone is not enough. It follows from the two tables above, whatever changes them: the sign-in library
-- sets it a moment too early and too late. The user's row is locked, so concurrent changes see each other.
alter table users add column two_factor_enabled boolean not null default false;

create function derive_two_factor_enabled() returns trigger language plpgsql as $$
begin
  new.two_factor_enabled := exists (select from second_factors f where f.user_id = new.id and f.verified)
    or exists (select from passkeys p where p.user_id = new.id);
  return new;
end $$;
create trigger users_two_factor_enabled before update of two_factor_enabled on users
  for each row execute function derive_two_factor_enabled();

create function note_second_factor_change() returns trigger language plpgsql as $$
begin
  update users set two_factor_enabled = true where id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger second_factors_changed after insert or delete or update of verified on second_factors
  for each row execute function note_second_factor_change();
create trigger passkeys_changed after insert or delete on passkeys
  for each row execute function note_second_factor_change();

-- When the user of a session last gave a password, a code or a passkey, and when they last used it.
alter table sessions add column proved_at timestamptz not null default now();
update sessions set proved_at = created_at;
alter table sessions add column last_used_at timestamptz;

alter table advertisers add column second_factor_required boolean not null default false;
