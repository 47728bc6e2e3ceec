import type { EventRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { inProgram, type ProgramScope, whereClause } from '../db/lists/list-query.ts';
import { timesAsText } from '../db/lists/sorted-list.ts';
import { wholeFact } from './fact-columns.ts';
import { type Reason, reasons } from './reasons.ts';

export type EventFilter = {
  type?: string;
  outcome?: 'recorded' | 'refused' | 'all';
  withoutClicks?: boolean;
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

const SCOPE = { program: 'program_id', partner: 'partner_id' };

function selectClicks(scope: ProgramScope, filter: EventFilter, params: unknown[]): string {
  const { before } = filter;
  const where = whereClause(
    {
      scope: inProgram(SCOPE, scope),
      filters: [
        ['clicked_at >= ?', filter.from],
        ['clicked_at < ?', filter.to],
        [`(clicked_at, 'click', id) < (?, ?::text, ?::bigint)`, before?.at, before?.type, before?.id],
      ],
    },
    params,
  );
  return `
    (select id, 'click' as type, is_test, customer_id, partner_id, link_id, null::bigint as sale_id, null as transaction_id,
       null as customer_key, 'recorded' as outcome, null as reason, null::jsonb as facts, clicked_at as created_at
     from clicks ${where} order by clicked_at desc, id desc limit $${params.push(filter.limit)})`;
}

function selectDecisions(scope: ProgramScope, filter: EventFilter, params: unknown[]): string {
  const { before, outcome = 'recorded' } = filter;
  const where = whereClause(
    {
      scope: inProgram(SCOPE, scope),
      filters: [
        [OUTCOME_CONDITIONS[outcome]],
        [`kind not in ('commission', 'assignment')`],
        ['kind = ?', filter.type],
        ['created_at >= ?', filter.from],
        ['created_at < ?', filter.to],
        ['(created_at, kind, id) < (?, ?::text, ?::bigint)', before?.at, before?.type, before?.id],
      ],
    },
    params,
  );
  return `
    (select id, kind as type, is_test, customer_id, partner_id, null::bigint as link_id, sale_id, transaction_id,
       customer_key, outcome, reason, facts, created_at
     from decisions ${where} order by created_at desc, kind desc, id desc limit $${params.push(filter.limit)})`;
}

/**
 * Clicks and decisions are in two tables: the newest page of each is read, and the page is the newest of both. A table without
 * events that match is left out, because it would be read to its end.
 */
export async function listEvents(db: Queryable, scope: ProgramScope, filter: EventFilter): Promise<EventRow[]> {
  const params: unknown[] = [];
  const { type, outcome = 'recorded', withoutClicks = false, limit } = filter;
  const selects = [
    ...((type && type !== 'click') || outcome === 'refused' || withoutClicks
      ? []
      : [selectClicks(scope, filter, params)]),
    ...(type === 'click' ? [] : [selectDecisions(scope, filter, params)]),
  ];
  if (selects.length === 0) return [];
  const events = await db.query<{ reason: Reason | null }>(
    `select e.id, e.type, e.is_test, e.customer_id, e.partner_id, p.name as partner_name, e.link_id, e.sale_id,
       e.transaction_id, coalesce(e.customer_key, c.customer_key) as customer_key, e.outcome, e.reason, null as sentence,
       e.facts ->> 'message' as message,
       case e.type when 'sale' then ${wholeFact('e.facts', 'amount_cents')}
         when 'refund' then coalesce(${wholeFact('e.facts', 'refunded_cents')}, ${wholeFact('e.facts', 'requested_cents')})
         end as amount_cents,
       coalesce(e.facts ->> 'currency', s.currency) as currency, e.created_at
     from (${selects.join(' union all ')}) e
     left join partners p on p.id = e.partner_id left join sales s on s.id = e.sale_id
     left join customers c on c.id = e.customer_id
     order by e.created_at desc, e.type desc, e.id desc limit $${params.push(limit)}`,
    params,
  );
  return events.map((event) => timesAsText<EventRow>({ ...event, sentence: event.reason && reasons[event.reason] }));
}
