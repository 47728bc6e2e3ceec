import type { CommissionBase, CommissionType } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import type { CapCount } from '../cap-book.ts';
import type { StoredFacts } from '../stored-facts.ts';
import type { Terms } from '../terms.ts';
import { TERMS_COLUMNS } from '../terms-store.ts';
import type { ActualCommission, SimulatedEvent } from './simulated-event.ts';

export type Period = { from: Date; to: Date };

export function listAllTerms(db: Queryable, programId: number): Promise<Terms[]> {
  return db.query<Terms>(`select ${TERMS_COLUMNS} from terms_versions v where v.program_id = $1 order by v.version`, [
    programId,
  ]);
}

type Commission = [
  partnerId: number,
  cents: number,
  currency: string,
  isRejected: boolean,
  version: number,
  rule: number,
];

type SaleColumns = [
  id: number,
  customerId: number,
  partnerId: number,
  at: number,
  amountCents: number,
  taxCents: number | null,
  shippingCents: number | null,
  currency: string,
  productId: string | null,
  coupon: string | null,
  isRecurring: boolean,
  isChange: boolean,
  type: CommissionType,
  rate: string,
  base: CommissionBase,
  programCurrency: string,
  version: number | null,
  facts: StoredFacts | null,
  groupId: number | null,
  recruiterId: number | null,
  convertedAt: number | null,
  own: Commission | null,
  override: Commission | null,
  isErased: boolean,
];

const commission = (alias: string) => `case when ${alias}.id is not null then json_build_array(${alias}.partner_id,
  ${alias}.commission_cents, ${alias}.currency, ${alias}.stage = 'rejected', ${alias}.terms_version, ${alias}.rule) end`;

/** Where a partner stood at a time, if nothing was stored with the sale or lead. */
const placed = (partner: string, at: string, unless: string) => `
  left join lateral (
    select group_id, recruiter_id from partner_placements l
    where ${unless} is null and l.program_id = $1 and l.partner_id = ${partner} and l.since <= ${at}
    order by l.since desc, l.id desc limit 1) l on true`;

// One text per page: reading 100,000 rows column by column would take longer than simulating them.
const LIST_SALES = `
  select coalesce(json_agg(line order by at, id), '[]')::text as lines, max(at)::text as "lastAt" from (
    select s.id, s.created_at as at, json_build_array(s.id, s.customer_id, s.partner_id, (extract(epoch from s.created_at) * 1000)::bigint,
      s.amount_cents, s.tax_cents, s.shipping_cents, s.currency, s.product_id, s.coupon_code, s.is_recurring,
      s.subscription_stage is not distinct from 'change', s.commission_type, s.commission_rate::text,
      coalesce(s.commission_base, 'gross'), s.program_currency, s.terms_version, s.terms_facts, l.group_id, l.recruiter_id,
      case when s.terms_facts is null and c.converted_at < s.created_at then
        (extract(epoch from c.converted_at) * 1000)::bigint end,
      ${commission('own')}, ${commission('over')}, c.erased_at is not null) as line
    from (
      select * from sales where program_id = $1 and (created_at, id) > ($2, $4) and created_at < $3
        and not is_test and partner_id is not null and commission_state <> 'owed'
      order by created_at, id limit $5) s
    join customers c on c.id = s.customer_id
    ${placed('s.partner_id', 's.created_at', 's.terms_facts')}
    left join commissions own on own.sale_id = s.id and own.kind = 'sale'
    left join commissions over on over.sale_id = s.id and over.kind = 'override') page`;

/** Where a page begins: after the row with this time and id. The time is as exact as the database has it. */
export type PageStart = { at: string; id: number };
export type EventPage = { events: SimulatedEvent[]; lastAt: string | null };

/** A page of the real sales of a period, in the order in which they were paid. */
export async function listSimulatedSales(
  db: Queryable,
  programId: number,
  after: PageStart,
  to: Date,
  limit: number,
): Promise<EventPage> {
  const [row] = await db.query<Page>(LIST_SALES, [programId, after.at, to, after.id, limit]);
  return { events: (JSON.parse(row!.lines) as SaleColumns[]).map(saleEvent), lastAt: row!.lastAt };
}

type Page = { lines: string; lastAt: string | null };

function saleEvent(columns: SaleColumns): SimulatedEvent {
  const [saleId, customerId, partnerId, at, amountCents, taxCents, shippingCents, currency, productId, coupon] =
    columns;
  const [, , , , , , , , , , isRecurring, isChange, type, rate, base, programCurrency, version, facts] = columns;
  const [groupId, recruiterId, convertedAt, own, override, isErased] = columns.slice(18) as [
    number | null,
    number | null,
    number | null,
    Commission | null,
    Commission | null,
    boolean,
  ];
  const amounts = { amountCents, taxCents, shippingCents, currency, productId, coupon };
  return {
    saleId,
    customerId,
    partnerId,
    at: new Date(at),
    sale: {
      ...amounts,
      period: isRecurring ? 'renewal' : isChange ? 'change' : 'first',
      paid: { type, rate, base, currency: programCurrency },
    },
    version,
    facts,
    groupId,
    recruiterId,
    firstSaleAt: convertedAt === null ? null : new Date(convertedAt),
    isErased,
    own: own && actual(own),
    override: override && actual(override),
  };
}

function actual([partnerId, cents, currency, isRejected, version, rule]: Commission): ActualCommission {
  return { partnerId, cents, currency, isRejected, version, rule };
}

type LeadColumns = [
  customerId: number,
  partnerId: number,
  at: number,
  facts: StoredFacts | null,
  groupId: number | null,
  recruiterId: number | null,
  own: Commission | null,
  override: Commission | null,
];

// A lead that earned nothing counts if its partner is active today.
const LIST_LEADS = `
  select coalesce(json_agg(line order by at, id), '[]')::text as lines, max(at)::text as "lastAt" from (
    select c.id, c.lead_at as at, json_build_array(c.id, c.partner_id, (extract(epoch from c.lead_at) * 1000)::bigint, own.terms_facts,
      l.group_id, l.recruiter_id, ${commission('own')}, ${commission('over')}) as line
    from (
      select * from customers where program_id = $1 and lead_at >= $2 and (lead_at, id) > ($2, $4) and lead_at < $3
        and not is_test and lead_state = 'settled' and partner_id is not null
        and (exists (select from commissions k where k.customer_id = customers.id and k.kind = 'lead') or exists (
          select from memberships m
          where m.program_id = $1 and m.partner_id = customers.partner_id and m.status = 'active'))
      order by lead_at, id limit $5) c
    left join commissions own on own.customer_id = c.id and own.kind = 'lead'
    left join commissions over on over.customer_id = c.id and over.kind = 'override'
    ${placed('c.partner_id', 'c.lead_at', 'own.terms_facts')}) page`;

/** A page of the confirmed leads of a period, in the order in which the customers signed up. */
export async function listSimulatedLeads(
  db: Queryable,
  programId: number,
  after: PageStart,
  to: Date,
  limit: number,
): Promise<EventPage> {
  const [row] = await db.query<Page>(LIST_LEADS, [programId, after.at, to, after.id, limit]);
  const events = (JSON.parse(row!.lines) as LeadColumns[]).map(
    ([customerId, partnerId, at, facts, groupId, recruiterId, own, override]) => ({
      saleId: null,
      customerId,
      partnerId: own?.[0] ?? partnerId,
      at: new Date(at),
      sale: null,
      version: own?.[4] ?? null,
      facts,
      groupId,
      recruiterId,
      firstSaleAt: null,
      isErased: false,
      own: own && actual(own),
      override: override && actual(override),
    }),
  );
  return { events, lastAt: row!.lastAt };
}

/** What partners had earned before the period, from each customer and in its first month: what caps count from. */
export async function listEarnedBefore(db: Queryable, programId: number, from: Date): Promise<CapCount[]> {
  const rows = await db.query<Omit<CapCount, 'cents' | 'programId'> & { cents: string }>(
    `with earned as (
       select m.partner_id, coalesce(s.customer_id, m.customer_id) as customer_id, m.currency, m.commission_cents as cents,
         coalesce(s.created_at, m.created_at) as at
       from commissions m left join sales s on s.id = m.sale_id
       where m.program_id = $1 and m.kind in ('sale', 'lead', 'override') and coalesce(s.created_at, m.created_at) < $2)
     select partner_id as "partnerId", 'customer' as scope, customer_id as "scopeId", currency, sum(cents)::text as cents
     from earned group by 1, 3, 4
     union all
     select partner_id, 'month', to_char($2 at time zone 'UTC', 'YYYYMM')::bigint, currency, sum(cents)::text
     from earned where at >= date_trunc('month', $2 at time zone 'UTC') at time zone 'UTC' group by 1, 4`,
    [programId, from],
  );
  return rows.map((row) => ({ ...row, programId, cents: BigInt(row.cents) }));
}

/** The groups of partners who are not in the default one. */
export async function listCurrentGroups(db: Queryable, programId: number): Promise<Map<number, number>> {
  const rows = await db.query<{ partnerId: number; groupId: number }>(
    `select partner_id as "partnerId", group_id as "groupId" from memberships
     where program_id = $1 and group_id is not null`,
    [programId],
  );
  return new Map(rows.map(({ partnerId, groupId }) => [partnerId, groupId]));
}

/** How many payments each customer had made before the period. */
export async function listPaymentsBefore(db: Queryable, programId: number, from: Date): Promise<Map<number, number>> {
  const rows = await db.query<{ customerId: number; count: number }>(
    `select customer_id as "customerId", count(*) as count from sales
     where program_id = $1 and created_at < $2 and not is_test group by 1`,
    [programId, from],
  );
  return new Map(rows.map(({ customerId, count }) => [customerId, count]));
}

export type EventNames = { partners: Map<number, string>; transactions: Map<number, string> };

/** The names of partners and the transaction ids of sales. */
export async function findEventNames(
  db: Queryable,
  { partnerIds, saleIds }: { partnerIds: number[]; saleIds: number[] },
): Promise<EventNames> {
  const [partners, sales] = await Promise.all([
    db.query<{ id: number; name: string }>('select id, name from partners where id = any ($1::bigint[])', [partnerIds]),
    db.query<{ id: number; name: string }>(
      'select id, processor_event_id as name from sales where id = any ($1::bigint[])',
      [saleIds],
    ),
  ]);
  const byId = (rows: { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]));
  return { partners: byId(partners), transactions: byId(sales) };
}
