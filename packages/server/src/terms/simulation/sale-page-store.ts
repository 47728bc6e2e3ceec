import type { Queryable } from '../../db/db.ts';
import type { StoredFacts } from '../stored-facts.ts';
import {
  actualCommission,
  COMMISSION_COLUMNS,
  type CommissionColumns,
  type EventPage,
  type PageStart,
  placementAt,
} from './event-page.ts';
import type { ActualCommission, KnownFacts, PaidTerms, SimulatedEvent, SimulatedSale } from './simulated-event.ts';

type SaleColumns = [
  id: number,
  customerId: number,
  partnerId: number,
  at: string,
  amountCents: number,
  taxCents: number | null,
  shippingCents: number | null,
  currency: string,
  productId: string | null,
  coupon: string | null,
  period: SimulatedSale['period'],
  paid: [type: PaidTerms['type'], rate: string, base: PaidTerms['base'], currency: string] | null,
  version: number | null,
  facts: StoredFacts | null,
];

const LIST_SALES = `
  select coalesce(json_agg(line), '[]')::text as lines from (
    select json_build_array(id, customer_id, partner_id, created_at, amount_cents, tax_cents, shipping_cents, currency,
      product_id, coupon_code,
      case when is_recurring then 'renewal' when subscription_stage = 'change' then 'change' else 'first' end,
      case when terms_facts is null then
        json_build_array(commission_type, commission_rate::text, coalesce(commission_base, 'gross'), program_currency) end,
      terms_version, terms_facts) as line
    from sales
    where program_id = $1 and (created_at, id) > ($2, $4) and created_at < $3
      and not is_test and partner_id is not null and commission_state <> 'owed'
    order by created_at, id limit $5) page`;

/** A page of the real sales of a period, in the order in which they were paid. */
export async function listSimulatedSales(
  db: Queryable,
  programId: number,
  after: PageStart,
  to: Date,
  limit: number,
): Promise<EventPage> {
  const [page] = await db.query<{ lines: string }>(LIST_SALES, [programId, after.at, to, after.id, limit]);
  const lines = JSON.parse(page!.lines) as SaleColumns[];
  const last = lines.at(-1);
  if (!last) return { events: [], next: null };
  const commissions = await listCommissions(db, lines);
  const known = await listKnownFacts(db, programId, lines);
  const events = lines.map((line) => saleEvent(line, commissions.get(line[0]), known.get(line[0]) ?? null));
  return { events, next: { at: last[3], id: last[0] } };
}

type CommissionsOfSale = { own: ActualCommission | null; override: ActualCommission | null };

/** What was earned on the sales, by sale. */
async function listCommissions(db: Queryable, sales: SaleColumns[]): Promise<Map<number, CommissionsOfSale>> {
  const [page] = await db.query<{ lines: string }>(
    `select coalesce(json_agg(json_build_array(c.sale_id, c.kind, ${COMMISSION_COLUMNS})), '[]')::text as lines
     from commissions c where c.sale_id = any ($1::bigint[]) and c.kind in ('sale', 'override')`,
    [sales.map(([id]) => id)],
  );
  const bySale = new Map<number, CommissionsOfSale>();
  for (const [saleId, kind, ...columns] of JSON.parse(page!.lines) as [number, string, ...CommissionColumns][]) {
    const found = bySale.get(saleId) ?? { own: null, override: null };
    found[kind === 'sale' ? 'own' : 'override'] = actualCommission(columns);
    bySale.set(saleId, found);
  }
  return bySale;
}

/** What is known about sales of earlier releases, which stored no facts. */
async function listKnownFacts(
  db: Queryable,
  programId: number,
  sales: SaleColumns[],
): Promise<Map<number, KnownFacts>> {
  const ids = sales.filter((line) => line[13] === null).map(([id]) => id);
  if (ids.length === 0) return new Map();
  const rows = await db.query<KnownFacts & { saleId: number }>(
    `select s.id as "saleId", l.group_id as "groupId", l.recruiter_id as "recruiterId",
       case when c.converted_at < s.created_at then c.converted_at end as "firstSaleAt"
     from sales s join customers c on c.id = s.customer_id ${placementAt('s.partner_id', 's.created_at')}
     where s.program_id = $1 and s.id = any ($2::bigint[])`,
    [programId, ids],
  );
  return new Map(rows.map((row) => [row.saleId, row]));
}

function saleEvent(
  line: SaleColumns,
  commissions: CommissionsOfSale | undefined,
  known: KnownFacts | null,
): SimulatedEvent {
  const [saleId, customerId, partnerId, at, amountCents, taxCents, shippingCents, currency, productId] = line;
  const [, , , , , , , , , coupon, period, paid, version, facts] = line;
  return {
    saleId,
    customerId,
    partnerId,
    at: new Date(at),
    sale: {
      amountCents,
      taxCents,
      shippingCents,
      currency,
      productId,
      // What was sent need not be a code that the program has.
      coupon: facts ? facts.coupon : coupon,
      period,
      paid: paid && { type: paid[0], rate: paid[1], base: paid[2], currency: paid[3] },
    },
    version,
    facts,
    known,
    own: commissions?.own ?? null,
    override: commissions?.override ?? null,
  };
}
