import { errors, manageBalances, type SentReplyOf } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  BALANCE_SORT_COLUMNS,
  type Balance,
  type BalancePosition,
  findBalanceTotals,
  listBalances,
} from '../../../payouts/balance-list-store.ts';
import { decodeCursor, encodeCursor } from '../../../reporting/lists/cursor.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { parseSort, SORT_KEYS } from './sorted-page.ts';

type Reply = SentReplyOf<typeof manageBalances>;

export function addManageBalanceRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageBalances, async ({ program, partnerId }, request) => {
    const query = queryOf(manageBalances, request);
    const { sort, cursor, limit } = query;
    const filter = {
      partnerId: partnerId ?? query.partner_id ?? null,
      isPayable: query.payable,
      hasPayoutDetails: query.payout_details,
      search: query.q,
    };
    const page = { sort: parseSort(sort), after: positionOf(cursor, sort), limit: limit + 1 };
    const rows = await listBalances(ctx.db, program.id, filter, page);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const meta = { next_cursor: last ? cursorAt(last.position, sort) : null, limit };
    const data = rows.slice(0, limit).map(toBalanceReply);
    if (!query.totals) return { data, meta };
    const { count, currencies } = await findBalanceTotals(ctx.db, program.id, filter);
    const totals = currencies.map((sums) => ({ currency: sums.currency, count: sums.count, ...toSumsReply(sums) }));
    return { data, meta: { ...meta, count, totals } };
  });
}

/** A balance has no id of its own: the partner and the currency identify it. */
function positionOf(cursor: string | undefined, sort: keyof typeof BALANCE_SORT_COLUMNS | `-${string}`) {
  if (!cursor) return null;
  const { type } = BALANCE_SORT_COLUMNS[parseSort(sort as keyof typeof BALANCE_SORT_COLUMNS).by];
  const parts = z.tuple([SORT_KEYS[type], z.int(), z.string().regex(/^[A-Z]{3}$/), z.literal(sort)]);
  const parsed = parts.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw errors.cursorInvalid();
  const [key, partnerId, currency] = parsed.data;
  return { key: key as BalancePosition['key'], partnerId, currency };
}

function cursorAt({ key, partnerId, currency }: BalancePosition, sort: string): string {
  return encodeCursor([key, partnerId, currency, sort]);
}

function toBalanceReply(balance: Balance): Reply['data'][number] {
  return {
    partner_id: balance.partnerId,
    partner_name: balance.partnerName,
    payout_details: balance.payoutDetails,
    account_changed_at: balance.accountChangedAt?.toISOString() ?? null,
    currency: balance.currency,
    ...toSumsReply(balance),
    due_commissions: balance.dueCommissions,
  };
}

function toSumsReply(sums: Pick<Balance, 'approvedCents' | 'carriedCents' | 'pendingCents' | 'payableCents'>) {
  return {
    approved_cents: sums.approvedCents,
    carried_cents: sums.carriedCents,
    pending_cents: sums.pendingCents,
    payable_cents: sums.payableCents,
  };
}
