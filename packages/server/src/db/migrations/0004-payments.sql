-- What a payment processor tells us: every event once, and what is known from them all, whatever their order.

-- Every lock of the migration first, in the order of the writers.
lock table refunds in access exclusive mode;
lock table customers, programs, advertisers in share row exclusive mode;
lock table processor_connections in access exclusive mode;

-- A Connect platform has one signing secret for all accounts; then the program's own is absent.
alter table processor_connections alter column secret_encrypted drop not null;
-- In a sandbox the processor's test payments are the real ones.
alter table processor_connections add column is_sandbox boolean not null default false;
create index processor_connections_by_account on processor_connections (account_id) where account_id is not null;

-- An account belongs to the workspace that named it first; nobody else can have its events sent to them.
create table processor_accounts (
  account_id text collate "C" primary key,
  advertiser_id bigint not null references advertisers
);
insert into processor_accounts (account_id, advertiser_id)
  select distinct on (c.account_id) c.account_id, p.advertiser_id
  from processor_connections c join programs p on p.id = c.program_id
  where c.account_id is not null order by c.account_id, c.connected_at, c.program_id;
create index processor_accounts_by_advertiser on processor_accounts (advertiser_id);

-- The inbox. An event is due until it is processed; the payload, which names people, is encrypted and kept for a while.
create table processor_events (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  event_id text collate "C" not null,
  type text not null,
  is_live boolean not null,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  payload_sealed text,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  outcome text,
  last_error text,
  attempts integer not null default 0,
  due_at timestamptz,
  worked_at timestamptz,
  transaction_id text collate "C",
  customer_id bigint,
  -- The identifier that would resolve the customer, if we knew it.
  waits_for text[],
  constraint one_event_per_id unique (program_id, event_id),
  check ((state = 'waiting') = (due_at is not null))
);
create index processor_events_due on processor_events (due_at, happened_at) where state = 'waiting';
create index processor_events_by_program on processor_events (program_id, id);
create index processor_events_unknown on processor_events using gin (waits_for) where waits_for is not null;
create index processor_events_failing on processor_events (program_id, id) where outcome = 'failed';
create index processor_events_outside_window on processor_events (customer_id) where outcome = 'outside_window';
create index processor_events_kept on processor_events (worked_at) where state = 'done' and payload_sealed is not null;

-- Whom the processor's customers, subscriptions and invoices stand for. Better evidence (a lower rank) replaces weaker.
create table processor_identities (
  program_id bigint not null references programs,
  reference text collate "C" not null,
  customer_id bigint not null references customers,
  rank integer not null,
  seen_at timestamptz not null,
  primary key (program_id, reference)
);

-- Which sale a payment intent or charge paid for, where that is not the sale's own id.
create table processor_payment_links (
  program_id bigint not null references programs,
  reference text collate "C" not null,
  transaction_id text collate "C" not null,
  primary key (program_id, reference)
);
create index processor_payment_links_by_transaction on processor_payment_links (program_id, transaction_id);

-- Charges, refunds and disputes in their latest known state. What a sale has lost is computed from these alone.
create table processor_charges (
  program_id bigint not null references programs,
  charge_id text collate "C" not null,
  payment_intent text collate "C",
  invoice text collate "C",
  amount_cents bigint not null,
  refunded_cents bigint not null,
  currency text not null,
  as_of timestamptz not null,
  primary key (program_id, charge_id)
);
create index processor_charges_by_intent on processor_charges (program_id, payment_intent);
create index processor_charges_by_invoice on processor_charges (program_id, invoice);

create table processor_deductions (
  program_id bigint not null references programs,
  -- A refund or a dispute, by the processor's id.
  deduction_id text collate "C" not null,
  kind text not null check (kind in ('refund', 'dispute')),
  charge_id text collate "C",
  payment_intent text collate "C",
  amount_cents bigint not null,
  currency text not null,
  -- `standing` takes money away, `undone` does no more; `settled` is a standing one that is final.
  state text not null check (state in ('standing', 'settled', 'undone')),
  made_at timestamptz not null,
  state_at timestamptz not null,
  primary key (program_id, deduction_id)
);
create index processor_deductions_by_charge on processor_deductions (program_id, charge_id);
create index processor_deductions_by_intent on processor_deductions (program_id, payment_intent);

-- Refunds that follow the processor's total can also be undone.
-- What the advertiser reported; it may be money that the processor told of as well, and then takes nothing more.
alter table refunds add column reported_cents bigint not null default 0 check (reported_cents >= 0);
-- The amounts stay, so their sums need not be checked for every row.
alter table refunds disable trigger refunds_never_above_the_sale;
update refunds set reported_cents = amount_cents;
alter table refunds enable trigger refunds_never_above_the_sale;
alter table refunds add column source text not null default 'api' check (source in ('api', 'processor'));
alter table refunds drop constraint refunds_amount_cents_check, drop constraint refunds_deduction_cents_check,
  drop constraint refunds_status_check;
alter table refunds add constraint refunds_status_check
  check (status in ('reversed', 'partially_reversed', 'no_commission', 'restored'));
alter table refunds add constraint only_restorations_give_back check (
  case when status = 'restored' then amount_cents < 0 and deduction_cents <= 0 and source = 'processor'
  else amount_cents >= 0 and deduction_cents >= 0 and (amount_cents > 0 or reported_cents > 0) end);
