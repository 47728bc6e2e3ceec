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
  /** Time, type and id of the last event on the previous page. */
  before: { at: Date; type: string; id: number } | null;
  limit: number;
};

const selectClicks = (partnerCondition: string) => `
  (select id, 'click' as type, is_test as "isTest", customer_id as "customerId", partner_id as "partnerId",
     link_id as "linkId", null::bigint as "saleId", null as "transactionId", null as "customerKey",
     clicked_at as "createdAt"
   from clicks
   where program_id = $1 and ($2::text is null or $2 = 'click') and ${partnerCondition}
     and ($4::timestamptz is null or (clicked_at, 'click', id) < ($4, $5::text, $6::bigint))
   order by clicked_at desc, id desc limit $7)`;

const selectDecisions = (partnerCondition: string) => `
  (select id, kind as type, is_test as "isTest", customer_id as "customerId", partner_id as "partnerId",
     null::bigint as "linkId", sale_id as "saleId", transaction_id as "transactionId", customer_key as "customerKey",
     created_at as "createdAt"
   from decisions
   where program_id = $1 and outcome = 'recorded' and kind <> 'commission' and ($2::text is null or kind = $2)
     and ${partnerCondition} and ($4::timestamptz is null or (created_at, kind, id) < ($4, $5::text, $6::bigint))
   order by created_at desc, kind desc, id desc limit $7)`;

// Clicks and recorded decisions are in two tables: the newest page of each is read, and the page is the newest of both. A
// table without events of the requested type is left out, because it would be read to its end.
const eventQuery = ({ type, partnerId }: EventFilter) => {
  const partnerCondition = partnerId === null ? '$3::bigint is null' : 'partner_id = $3';
  const selects = [
    ...(type && type !== 'click' ? [] : [selectClicks(partnerCondition)]),
    ...(type === 'click' ? [] : [selectDecisions(partnerCondition)]),
  ];
  return `
    select events.*, p.name as "partnerName"
    from (${selects.join(' union all ')}) events
    left join partners p on p.id = events."partnerId"
    order by "createdAt" desc, type desc, events.id desc limit $7`;
};

export function listEvents(db: Queryable, programId: number, filter: EventFilter): Promise<ListedEvent[]> {
  return db.query<ListedEvent>(eventQuery(filter), [
    programId,
    filter.type ?? null,
    filter.partnerId,
    filter.before?.at ?? null,
    filter.before?.type ?? null,
    filter.before?.id ?? null,
    filter.limit,
  ]);
}
