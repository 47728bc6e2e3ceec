import { errors, manageBalances } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  BALANCE_SORT_COLUMNS,
  type BalancePosition,
  findBalanceTotals,
  listBalances,
} from '../../../payouts/balance-list-store.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { decodeCursor, encodeCursor } from '../../lists/cursor.ts';
import { scopeOf } from '../../lists/list-filters.ts';
import { parseSort, SORT_KEYS } from '../../lists/sorted-page.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageBalanceRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageBalances, async (access, request) => {
    const query = queryOf(manageBalances, request);
    const { sort, cursor, limit } = query;
    const scope = scopeOf(access, query);
    const filter = {
      isPayable: query.payable,
      includesInactive: query.include_inactive,
      hasPayoutMethod: query.has_payout_method,
      search: query.q,
    };
    const page = { sort: parseSort(sort), after: positionOf(cursor, sort), limit: limit + 1 };
    const listed = await listBalances(ctx.db, scope, filter, page);
    const last = listed.length > limit ? listed[limit - 1] : undefined;
    const meta = { next_cursor: last ? cursorAt(last.position, sort) : null, limit };
    const all = query.totals && (await findBalanceTotals(ctx.db, scope, filter));
    return { data: listed.slice(0, limit).map(({ row }) => row), meta: { ...meta, ...all } };
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
