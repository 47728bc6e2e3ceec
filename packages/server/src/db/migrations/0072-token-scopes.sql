-- Account tokens with scopes, that people create for scripts and machines.

lock table account_tokens in access exclusive mode;

-- The only program that such a token works for. Programs are never deleted, only hidden.
alter table account_tokens add column program_id bigint;
-- Null: it works until it is revoked. Nodes of an earlier release neither recognize nor list such tokens.
alter table account_tokens alter column expires_at drop not null;
-- Tokens of applications have all four, tokens with scopes only these, tokens of terminals none.
alter table account_tokens drop constraint account_tokens_of_applications;
alter table account_tokens add constraint account_tokens_of_applications check (
  num_nulls(audience, client_hash, client_address) in (0, 3)
);
alter table account_tokens add constraint account_tokens_limited check (
  scopes is not null or (audience is null and program_id is null and expires_at is not null)
);
