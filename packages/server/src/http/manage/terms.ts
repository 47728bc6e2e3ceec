import { manageTerms, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { describeCommission } from '../../programs/describe-commission.ts';
import { idOfCursor } from '../../reporting/lists/cursor.ts';
import { type ListedTerms, listTerms } from '../../terms/terms-store.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './page-of.ts';

export function addManageTermsRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageTerms, async ({ program }, request) => {
    const { cursor, limit } = queryOf(manageTerms, request);
    const versions = await listTerms(ctx.db, program.id, { before: idOfCursor(cursor), limit: limit + 1 });
    return pageOf(versions, limit, toTermsReply, ({ version }) => [version]);
  });
}

function toTermsReply(terms: ListedTerms): ReplyRow<typeof manageTerms> {
  const { type, rate, currency, recurringMonths } = terms;
  return {
    version: terms.version,
    effective_from: terms.since.toISOString(),
    effective_until: terms.until?.toISOString() ?? null,
    commission: describeCommission({ commissionType: type, commissionRate: rate, currency, recurringMonths }),
    commission_type: type,
    commission_rate: Number(rate),
    commission_base: terms.base,
    currency,
    recurring_months: recurringMonths,
    hold_days: terms.holdDays,
    made_by: terms.madeBy,
  };
}
