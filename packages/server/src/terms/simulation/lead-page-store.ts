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
import type { SimulatedEvent } from './simulated-event.ts';
import type { Period } from './simulation-store.ts';

type LeadColumns = [
  customerId: number,
  partnerId: number,
  at: string,
  facts: StoredFacts | null,
  groupId: number | null,
  recruiterId: number | null,
  own: CommissionColumns | null,
  override: CommissionColumns | null,
];

const IS_LEAD = `program_id = $1 and lead_at >= $2 and lead_at < $3
  and not is_test and lead_state = 'settled' and partner_id is not null`;
const HAS_ACTIVE_PARTNER = `partner_id in (
  select m.partner_id from memberships m where m.program_id = $1 and m.status = 'active')`;
const commissionOf = (kind: 'lead' | 'override') => `(
  select json_build_array(${COMMISSION_COLUMNS}) from commissions c where c.customer_id = page.id and c.kind = '${kind}')`;

// A lead that earned nothing counts if its partner is active today.
const LIST_LEADS = `
  select coalesce(json_agg(json_build_array(page.id, page.partner_id, page.lead_at, own.terms_facts, l.group_id, l.recruiter_id,
    ${commissionOf('lead')}, ${commissionOf('override')}) order by page.lead_at, page.id), '[]')::text as lines
  from (
    select id, partner_id, lead_at from customers
    where ${IS_LEAD} and (lead_at, id) > ($2, $4) and (${HAS_ACTIVE_PARTNER}
      or exists (select from commissions c where c.customer_id = customers.id and c.kind = 'lead'))
    order by lead_at, id limit $5) page
  left join commissions own on own.customer_id = page.id and own.kind = 'lead'
  ${placementAt('page.partner_id', 'page.lead_at')}`;

/** A page of the confirmed leads of a period, in the order in which the customers signed up. */
export async function listSimulatedLeads(
  db: Queryable,
  programId: number,
  after: PageStart,
  to: Date,
  limit: number,
): Promise<EventPage> {
  const [page] = await db.query<{ lines: string }>(LIST_LEADS, [programId, after.at, to, after.id, limit]);
  const lines = JSON.parse(page!.lines) as LeadColumns[];
  const last = lines.at(-1);
  return { events: lines.map(leadEvent), next: last ? { at: last[2], id: last[0] } : null };
}

function leadEvent([
  customerId,
  partnerId,
  at,
  facts,
  groupId,
  recruiterId,
  own,
  override,
]: LeadColumns): SimulatedEvent {
  const commission = own && actualCommission(own);
  return {
    saleId: null,
    customerId,
    partnerId: commission?.partnerId ?? partnerId,
    at: new Date(at),
    sale: null,
    version: commission?.version ?? null,
    facts,
    known: { groupId, recruiterId, firstSaleAt: null },
    own: commission,
    override: override && actualCommission(override),
  };
}

/** The number of leads of a period, where none can earn anything. */
export async function countLeads(db: Queryable, programId: number, { from, to }: Period): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from customers where ${IS_LEAD} and ${HAS_ACTIVE_PARTNER}`,
    [programId, from, to],
  );
  return row!.count;
}
