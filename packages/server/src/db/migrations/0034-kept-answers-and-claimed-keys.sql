lock table sales, commissions in access exclusive mode;

-- A payment by a key that only a web page claims is held for review, too. Nothing to check: every row meets the narrower rule.
alter table sales drop constraint sales_hold_reason_check;
alter table sales add constraint sales_hold_reason_check
  check (hold_reason in ('self_referral', 'email_from_page', 'claimed_key')) not valid;
alter table commissions drop constraint commissions_hold_reason_check;
alter table commissions add constraint commissions_hold_reason_check
  check (hold_reason in ('self_referral', 'email_from_page', 'claimed_key')) not valid;

-- How many bytes of answers to requests with an Idempotency-Key are kept, by day in UTC, so that their space is bounded.
create table kept_answer_days (
  -- A program, or an account where the request is about none: 'program 7', 'account x'.
  owner text collate "C" not null,
  day date not null,
  -- Answers under way count as large as they may become.
  bytes bigint not null check (bytes >= 0),
  primary key (owner, day)
);
