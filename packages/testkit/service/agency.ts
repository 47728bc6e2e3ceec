import { countRows } from '../src/index.ts';
import type { TestProgram, TestService } from './service.ts';

/** The currencies of the programs. Yen have no cents, and dinars have thousandths. */
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'GBP', 'USD', 'EUR', 'JPY'];
const NAMES = [
  'Northwind Notes',
  'Kettle & Crumb',
  '東京コーヒー',
  'شركاء مقهى الصباح',
  'Bean There 🫘☕',
  'A program with a name so long that it has to be cut or wrapped wherever it is shown, in 100 characters',
  'Fjord & Fell',
  'Zebra',
];

/** Partners with sales, and those who have applied to the second program. With one partner in each new program, there are 500. */
const SELLERS = 462;
const APPLICANTS = 30;
const OF_FIRST_PROGRAM = 200;
const SALES = 10_000;

/** An amount in the smallest unit that is different for nearly every sale, so that no two sums are equal by chance. */
const AMOUNT = '(1000 + (j * 7919) % 90001)';
const REFUNDED = `(case when j % 50 = 0 then ${AMOUNT} / 4 else 0 end)`;
const fifth = (cents: string) => `((${cents} * 20 + 50) / 100)`;

// $1 workspace, $2 programs, $3 since when
const ADD_PARTNERS = `
  with people as (
    insert into partners (advertiser_id, name, email, created_at)
    select $1, 'Partner ' || lpad(n::text, 3, '0'), 'partner-' || n || '@agency.test', $3::timestamptz
    from generate_series(1, ${SELLERS + APPLICANTS}) n order by n returning id, substr(name, 9)::int as n
  ), members as (
    insert into memberships (program_id, partner_id, status, created_at)
    select ($2::bigint[])[case when n <= ${OF_FIRST_PROGRAM} then 1 when n <= ${SELLERS} then 2 + n % 7 else 2 end], id,
      case when n <= ${SELLERS} then 'active' else 'applied' end, $3
    from people returning program_id, partner_id, status
  )
  insert into links (program_id, partner_id, short_link, is_first, created_at)
  select program_id, partner_id, 'partner-' || n, true, $3 from members join people on id = partner_id where status = 'active'`;

// Ids are given, so that nothing has to be looked up: $1 workspace, $2 first days of the last two months, $3 now, $4 customers and
// $5 sales before
const ADD_SALES = `
  with orders as materialized (
    select j, 'agency-' || j as name, $4::bigint + j as customer_id, $5::bigint + j as sale_id, l.program_id, l.partner_id,
      l.id as link_id, g.currency, ${AMOUNT} as cents, ${REFUNDED} as refunded,
      ($2::timestamptz[])[1 + (j + 1) % 2] + (j % 27) * interval '1 day' + j * interval '1 second' as at, j % 2 = 0 as is_approved
    from generate_series(1, ${SALES}) j
    join links l on l.short_link = 'partner-' || (1 + (j * 13) % ${SELLERS})
    join programs g on g.id = l.program_id and g.advertiser_id = $1
  ), buyers as (
    insert into customers (id, program_id, partner_id, link_id, customer_key, status, created_at, clicked_at, lead_at, lead_state,
      converted_at)
    select customer_id, program_id, partner_id, link_id, name, 'conversion', at, at, at, 'settled', at from orders
  ), sold as (
    insert into sales (id, processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, refunded_cents, currency,
      program_currency, sale_type, is_recurring, commission_state, commission_type, commission_rate, commission_base,
      terms_version, hold_days, created_at)
    select sale_id, name, program_id, customer_id, partner_id, link_id, cents, refunded, currency, currency, 'payment', false,
      'created', 'percent', 20, 'net', 1, 30, at
    from orders
  ), earned as (
    insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents, deducted_cents,
      reversal, currency, stage, approve_after, approved_at, terms_version, created_at)
    select sale_id, program_id, partner_id, 'percent', 20, ${fifth('cents')}, ${fifth('refunded')},
      case when refunded > 0 then 'partial' else 'none' end, currency, case when is_approved then 'approved' else 'pending' end,
      at + interval '30 days', case when is_approved then $3::timestamptz - interval '1 hour' end, 1, at
    from orders
  ), known as (
    insert into transactions (processor_event_id, program_id, sale_id) select name, program_id, sale_id from orders
  ), taken_back as (
    insert into refunds (sale_id, program_id, refund_key, amount_cents, deduction_cents, status, created_at)
    select sale_id, program_id, 'refund-' || name, refunded, ${fifth('refunded')}, 'partially_reversed', at
    from orders where refunded > 0
  )
  insert into decisions (program_id, kind, outcome, reason, facts, source, customer_id, partner_id, sale_id, transaction_id,
    customer_key, created_at)
  select program_id, 'sale', 'recorded', 'sale_attributed', jsonb_build_object('amount_cents', cents, 'currency', currency), 'api',
    customer_id, partner_id, sale_id, name, name, at
  from orders`;

const TAKE_IDS = `
  select setval('customers_id_seq', nextval('customers_id_seq') + ${SALES}) - ${SALES} as customers,
    setval('sales_id_seq', nextval('sales_id_seq') + ${SALES}) - ${SALES} as sales`;

// Everyone in the first program can be paid: $1 program, $2 sealed details, $3 since when
const GIVE_METHODS = `
  with accounts as (
    insert into users (id, name, email, email_verified)
    select 'agency-' || p.id, p.name, p.email, true
    from partners p join memberships m on m.partner_id = p.id where m.program_id = $1 and p.user_id is null
    returning id, name
  ), owned as (
    update partners set user_id = 'agency-' || partners.id from memberships m
    where m.partner_id = partners.id and m.program_id = $1 and partners.user_id is null
  )
  insert into payout_methods (user_id, kind, details_sealed, masked, holder_name, holder_kind, country, usable_from, created_at)
  select id, 'iban', $2, 'DE****', name, 'person', 'DE', $3, $3 from accounts`;

/** A sale as the agency’s rows are computed here, without asking the service or its store. */
export type AgencySale = {
  transactionId: string;
  program: TestProgram;
  currency: string;
  /** Partners are called by their numbers. */
  partner: string;
  isLastMonth: boolean;
  cents: number;
  refundedCents: number;
  commissionCents: number;
  deductedCents: number;
};

export type Agency = { programs: TestProgram[]; sales: AgencySale[]; applicants: number };

/**
 * Fills the workspace of an agency: 8 programs in five currencies, 500 partners and 10,000 sales in the last two months, each with
 * a commission of a fifth. What was sold last month is still pending, and what was sold in the month before is approved. In the
 * first program, every partner can be paid.
 */
export async function fillAgency(service: TestService, workspaceId: number): Promise<Agency> {
  const programs: TestProgram[] = [];
  for (const [index, currency] of CURRENCIES.entries()) {
    const made = await service.program({ workspaceId, currency });
    await service.sql('update programs set name = $2 where id = $1', [made.program.id, NAMES[index]]);
    programs.push(made);
  }
  const [first] = programs;
  const now = service.time;
  const monthsAgo = (count: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count));
  const ids = programs.map(({ program }) => program.id);
  const months = [monthsAgo(1), monthsAgo(2)];
  const db = service.ctx.db.untimed;
  await db.transaction(async (tx) => {
    // Every row refers to rows that exist, and what triggers would count is counted below. This takes a tenth of the time.
    await tx.query(`set local session_replication_role = 'replica'`);
    await tx.query(ADD_PARTNERS, [workspaceId, ids, monthsAgo(2)]);
    const [before] = await tx.query<{ customers: number; sales: number }>(TAKE_IDS);
    await tx.query(ADD_SALES, [workspaceId, months, now, before?.customers, before?.sales]);
  });
  await countRows(db);
  const sealed = service.ctx.encryption.seal(
    JSON.stringify({ kind: 'iban', iban: 'DE89370400440532013000', bic: null }),
  );
  await service.sql(GIVE_METHODS, [first?.program.id, sealed, monthsAgo(2)]);
  await service.sql('analyze partners, memberships, links, customers, sales, commissions, decisions, transactions');
  return {
    programs,
    sales: Array.from({ length: SALES }, (_, index) => saleOf(index + 1, programs)),
    applicants: APPLICANTS,
  };
}

function saleOf(j: number, programs: TestProgram[]): AgencySale {
  const n = 1 + ((j * 13) % SELLERS);
  const place = n <= OF_FIRST_PROGRAM ? 0 : 1 + (n % 7);
  const cents = 1000 + ((j * 7919) % 90_001);
  const refundedCents = j % 50 === 0 ? Math.floor(cents / 4) : 0;
  const fifthOf = (amount: number) => Math.floor((amount * 20 + 50) / 100);
  return {
    transactionId: `agency-${j}`,
    program: programs[place] as TestProgram,
    currency: CURRENCIES[place] ?? '',
    partner: `Partner ${String(n).padStart(3, '0')}`,
    isLastMonth: j % 2 === 1,
    cents,
    refundedCents,
    commissionCents: fifthOf(cents),
    deductedCents: fifthOf(refundedCents),
  };
}
