-- Double-entry books of what programs owe to partners and customers, and of what they have paid.

-- Every lock of the migration first.
lock table programs, memberships in share row exclusive mode;
lock table alerts in access exclusive mode;

-- Each row is a transaction: what it adds to the expense is what it adds to the other accounts, of one partner, in one currency.
create table book_entries (
  id bigint generated always as identity,
  program_id bigint not null,
  -- Null for what customers are granted.
  partner_id bigint,
  currency text not null,
  kind text not null,
  commission_id bigint,
  payout_id bigint,
  credit_id bigint,
  -- When it was written, whatever time it is about: a month that is over does not change.
  at timestamptz not null,
  expense_cents numeric not null,
  pending_cents numeric not null default 0,
  payable_cents numeric not null default 0,
  in_payouts_cents numeric not null default 0,
  paid_cents numeric not null default 0,
  credits_cents numeric not null default 0,
  primary key (program_id, id),
  foreign key (program_id, partner_id) references memberships (program_id, partner_id),
  constraint entries_sum_to_zero
    check (expense_cents = pending_cents + payable_cents + in_payouts_cents + paid_cents + credits_cents)
);

create function refuse_book_change() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the books are never changed or deleted';
end $$;
create trigger books_are_append_only before delete or update on book_entries
  for each statement execute function refuse_book_change();

-- Since when the books of a program are complete, and how their last comparison with commissions and payouts went.
create table books (
  program_id bigint primary key references programs (id),
  -- Null until what came before the books is entered. By then, no node of an earlier release writes without entering it.
  opened_at timestamptz,
  opens_at timestamptz not null,
  proved_at timestamptz,
  -- Partners and currencies that did not agree; none is an empty list.
  differences jsonb,
  constraint proofs_say_what_they_found check ((proved_at is null) = (differences is null))
);
insert into books (program_id, opens_at) select id, now() + interval '1 day' from programs;

alter table alerts drop constraint alerts_kind_check;
alter table alerts add constraint alerts_kind_check
  check (kind in ('webhook_failing', 'payment_events_failing', 'books_differ')) not valid;
