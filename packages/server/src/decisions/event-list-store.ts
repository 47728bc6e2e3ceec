import type { EventOutcome } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import { type Condition, whereClause } from '../../db/list-query.ts';
import type { Reason } from '../../decisions/reasons.ts';

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
  outcome: EventOutcome;
  reason: Reason | null;
  message: string | null;
  amountCents: number | null;
  currency: string | null;
  createdAt: Date;
};

export type EventFilter = {
  type?: string;
  partnerId: number | null;
  outcome?: 'recorded' | 'refused' | 'all';
  from?: Date;
  to?: Date;
  /** Time, type and id of the last event on the previous page. */
  before: { at: Date; type: string; id: number } | null;
  limit: number;
};

/** Constants, so that the planner can use the partial index of what was not recorded. */
const OUTCOME_CONDITIONS = {
  recorded: `outcome = 'recorded'`,
  refused: `outcome <> 'recorded'`,
  all: 'true',
} as const;

function selectClicks(programId: number, filter: EventFilter, params: unknown[]): string {
  const { before } = filter;
  const conditions: Condition[] = [
    ['program_id = ?', programId],
    ['partner_id = ?', filter.partnerId],
    ['clicked_at >= ?', filter.from],
    ['clicked_at < ?', filter.to],
    [`(clicked_at, 'click', id) < (?, ?::text, ?::bigint)`, before?.at, before?.type, before?.id],
  ];
  const where = whereClause(conditions, params);
  return `
    (select id, 'click' as type, is_test as "isTest", customer_id as "customerId", partner_id as "partnerId",
       link_id as "linkId", null::bigint as "saleId", null as "transactionId", null as "customerKey",
       'recorded' as outcome, null as reason, null::jsonb as facts, clicked_at as "createdAt"
     from clicks ${where} order by clicked_at desc, id desc limit $${params.push(filter.limit)})`;
}

function selectDecisions(programId: number, filter: EventFilter, params: unknown[]): string {
  const { before, outcome = 'recorded' } = filter;
  const conditions: Condition[] = [
    ['program_id = ?', programId],
    [OUTCOME_CONDITIONS[outcome]],
    [`kind not in ('commission', 'assignment')`],
    ['kind = ?', filter.type],
    ['partner_id = ?', filter.partnerId],
    ['created_at >= ?', filter.from],
    ['created_at < ?', filter.to],
    ['(created_at, kind, id) < (?, ?::text, ?::bigint)', before?.at, before?.type, before?.id],
  ];
  const where = whereClause(conditions, params);
  return `
    (select id, kind as type, is_test as "isTest", customer_id as "customerId", partner_id as "partnerId",
       null::bigint as "linkId", sale_id as "saleId", transaction_id as "transactionId", customer_key as "customerKey",
       outcome, reason, facts, created_at as "createdAt"
     from decisions ${where} order by created_at desc, kind desc, id desc limit $${params.push(filter.limit)})`;
}

/**
 * Clicks and decisions are in two tables: the newest page of each is read, and the page is the newest of both. A table without
 * events that match is left out, because it would be read to its end.
 */
export function listEvents(db: Queryable, programId: number, filter: EventFilter): Promise<ListedEvent[]> {
  const params: unknown[] = [];
  const { type, outcome = 'recorded', limit } = filter;
  const selects = [
    ...((type && type !== 'click') || outcome === 'refused' ? [] : [selectClicks(programId, filter, params)]),
    ...(type === 'click' ? [] : [selectDecisions(programId, filter, params)]),
  ];
  if (selects.length === 0) return Promise.resolve([]);
  return db.query<ListedEvent>(
    `select events.id, events.type, events."isTest", events."customerId", events."partnerId", p.name as "partnerName",
       events."linkId", events."saleId", events."transactionId", coalesce(events."customerKey", c.customer_key) as "customerKey", events.outcome, events.reason,
       events.facts ->> 'message' as message,
       (case events.type when 'sale' then events.facts ->> 'amount_cents'
          when 'refund' then coalesce(events.facts ->> 'refunded_cents', events.facts ->> 'requested_cents') end)::bigint
         as "amountCents",
       coalesce(events.facts ->> 'currency', s.currency) as currency, events."createdAt"
     from (${selects.join(' union all ')}) events
     left join partners p on p.id = events."partnerId" left join sales s on s.id = events."saleId"
     left join customers c on c.id = events."customerId"
     order by "createdAt" desc, type desc, events.id desc limit $${params.push(limit)}`,
    params,
  );
}
