import type { Queryable } from '../db/db.ts';

export type ListedEvent = {
  id: number;
  type: 'click' | 'lead' | 'sale' | 'refund';
  isTest: boolean;
  customerId: number | null;
  partnerId: number | null;
  partnerName: string | null;
  linkId: number | null;
  saleId: number | null;
  transactionId: string | null;
  customerKey: string | null;
  createdAt: Date;
};

export type EventFilter = {
  type?: string;
  partnerId: number | null;
  /** Time, type and id of the last event of the page before. */
  before: { at: Date; type: string; id: number } | null;
  limit: number;
};

const CLICKS = (ofPartner: string) => `
  (select id, 'click' as type, is_test as "isTest", customer_id as "customerId", partner_id as "partnerId",
     link_id as "linkId", null::bigint as "saleId", null as "transactionId", null as "customerKey",
     clicked_at as "createdAt"
   from clicks
   where program_id = $1 and ($2::text is null or $2 = 'click') and ${ofPartner}
     and ($4::timestamptz is null or (clicked_at, 'click', id) < ($4, $5::text, $6::bigint))
   order by clicked_at desc, id desc limit $7)`;

const DECISIONS = (ofPartner: string) => `
  (select id, kind as type, is_test as "isTest", customer_id as "customerId", partner_id as "partnerId",
     null::bigint as "linkId", sale_id as "saleId", transaction_id as "transactionId", customer_key as "customerKey",
     created_at as "createdAt"
   from decisions
   where program_id = $1 and outcome = 'recorded' and kind <> 'commission' and ($2::text is null or kind = $2)
     and ${ofPartner} and ($4::timestamptz is null or (created_at, kind, id) < ($4, $5::text, $6::bigint))
   order by created_at desc, kind desc, id desc limit $7)`;

// Clicks and recorded decisions are two tables; each gives its newest page, and the newest of both are the page. The one
// that has nothing of the type is left out: it would be read to its end.
const listEventsOf = ({ type, partnerId }: EventFilter) => {
  const ofPartner = partnerId === null ? '$3::bigint is null' : 'partner_id = $3';
  const tables = [...(type && type !== 'click' ? [] : [CLICKS]), ...(type === 'click' ? [] : [DECISIONS])];
  return `
    select events.*, p.name as "partnerName"
    from (${tables.map((table) => table(ofPartner)).join(' union all ')}) events
    left join partners p on p.id = events."partnerId"
    order by "createdAt" desc, type desc, events.id desc limit $7`;
};

export function listEvents(db: Queryable, programId: number, filter: EventFilter): Promise<ListedEvent[]> {
  return db.query<ListedEvent>(listEventsOf(filter), [
    programId,
    filter.type ?? null,
    filter.partnerId,
    filter.before?.at ?? null,
    filter.before?.type ?? null,
    filter.before?.id ?? null,
    filter.limit,
  ]);
}
