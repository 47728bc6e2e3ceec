-- Answers to requests that were sent with an Idempotency-Key, so that a repetition gets the same answer and changes nothing.
create table idempotency_keys (
  id bigint generated always as identity primary key,
  -- A keyed hash of the credential, the route, its parameters and the key. A key may be anything, such as a customer's id.
  scope text collate "C" not null unique,
  -- Who may write the answer: the request that came first, or one that took over from a node that failed.
  claim uuid not null,
  -- A keyed hash of the body.
  body_hash text collate "C" not null,
  -- The program, where the answer may quote what the caller sent, for erasing people from it. No foreign keys: a program may be
  -- deleted, and an account erased, while an answer is kept.
  program_id bigint,
  -- The account; null for program keys.
  user_id text,
  -- Both null while the first request is in progress. Answers are encrypted, because they may contain a new key.
  status smallint,
  answer_sealed text,
  created_at timestamptz not null,
  check ((status is null) = (answer_sealed is null))
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_programs on idempotency_keys (program_id) where program_id is not null;
create index idempotency_keys_of_accounts on idempotency_keys (user_id) where user_id is not null;
