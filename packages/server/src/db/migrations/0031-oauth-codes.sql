lock table account_tokens in access exclusive mode;

-- Codes that an application exchanges for a token after its user has agreed. They are nothing but that: no other route reads
-- this table, and the state of a terminal's login is never in it.
create table oauth_codes (
  code_hash text collate "C" primary key,
  user_id text not null,
  -- What the exchange has to name, and what proves that it comes from where the request came from (RFC 7636).
  client_hash text collate "C" not null,
  redirect_uri text not null,
  code_challenge text collate "C" not null,
  -- What the token will be for.
  client_name text not null,
  client_address text not null,
  audience text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set by the exchange. A second exchange ends the token.
  used_at timestamptz,
  token_id bigint
);
create index oauth_codes_by_expiry on oauth_codes (expires_at);
create index oauth_codes_by_user on oauth_codes (user_id);

-- What a token of an application is for. All of it is null for tokens of terminals, which may do what their account may.
alter table account_tokens add column audience text;
alter table account_tokens add column scopes text[];
alter table account_tokens add column client_hash text collate "C";
alter table account_tokens add column client_address text;
alter table account_tokens add constraint account_tokens_of_applications check (
  num_nulls(audience, scopes, client_hash, client_address) in (0, 4)
);
