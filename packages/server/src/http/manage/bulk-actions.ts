import {
  errors,
  MAX_BULK_ROWS,
  manageBulkActions,
  manageStartMarkingPaid,
  manageStartPartnerChange,
  manageStartPayouts,
  manageStartReview,
  manageStopBulkAction,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { findBulkAction, listBulkActions, type NewBulkAction } from '../../bulk-actions/bulk-action-store.ts';
import { startBulkAction } from '../../bulk-actions/start-bulk-action.ts';
import { stopBulkAction } from '../../bulk-actions/stop-bulk-action.ts';
import { COMMISSIONS } from '../../commissions/commission-list-store.ts';
import type { Selection } from '../../db/lists/list-query.ts';
import { listIds } from '../../db/lists/sorted-list.ts';
import { findGroup } from '../../partners/groups/group-store.ts';
import { PARTNERS } from '../../partners/partner-list-store.ts';
import { listSeenBalances } from '../../payouts/create-payouts.ts';
import { PAYOUTS } from '../../payouts/payout-list-store.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import { idOfCursor } from '../lists/cursor.ts';
import { pageOf } from '../lists/page-of.ts';
import type { ServiceContext } from '../service-context.ts';
import { commissionsFor } from './commissions.ts';
import { partnersFor } from './partners/partners.ts';
import { payoutsFor } from './payouts/payouts.ts';

export function addManageBulkActionRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageBulkActions, async ({ program }, request) => {
    const { limit, cursor } = queryOf(manageBulkActions, request);
    const found = await listBulkActions(ctx.db, program.id, { before: idOfCursor(cursor), limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => [id]);
  });

  const start = async (
    { program, actor }: ProgramAccess,
    asked: Pick<NewBulkAction, 'kind' | 'change'> & { items: unknown[] },
  ) => {
    const id = await startBulkAction(ctx, program, { ...asked, actor });
    ctx.bulkWorker.wake();
    const started = await findBulkAction(ctx.db, program.id, id);
    if (!started) throw errors.notFound();
    return { data: started };
  };

  type Chosen = { ids?: number[] | undefined; count?: number | undefined };

  /** The chosen ids, or those that the filter matches, if they are as many as the caller saw. */
  const idsOf = async (
    { ids, count: seen = 0 }: Chosen,
    source: Parameters<typeof listIds>[1],
    selection: Selection,
    what: string,
  ): Promise<number[]> => {
    if (ids) return ids;
    if (seen > MAX_BULK_ROWS) throw errors.tooManySelected(MAX_BULK_ROWS);
    const found = await listIds(ctx.db, source, selection, MAX_BULK_ROWS + 1);
    if (found.length !== seen) throw errors.selectionChanged(found.length, seen, what);
    return found;
  };

  addProgramRoute(app, ctx, manageStartReview, async (access, request) => {
    const { action, reason, filter = {}, ...chosen } = bodyOf(manageStartReview, request);
    const items = await idsOf(chosen, COMMISSIONS, commissionsFor(ctx, access, filter), 'commissions');
    return start(access, { kind: 'review_commissions', change: { action, reason }, items });
  });

  addProgramRoute(app, ctx, manageStartMarkingPaid, async (access, request) => {
    const { reference, filter = {}, ...chosen } = bodyOf(manageStartMarkingPaid, request);
    const items = await idsOf(chosen, PAYOUTS, payoutsFor(access, filter), 'payouts');
    return start(access, { kind: 'mark_payouts_paid', change: { reference }, items });
  });

  addProgramRoute(app, ctx, manageStartPayouts, async (access, request) => {
    const { count, totals, ...change } = bodyOf(manageStartPayouts, request);
    const only = {
      includesInactive: change.include_inactive,
      ...(change.with_payout_method && { hasPayoutMethod: true }),
    };
    const items = await listSeenBalances(ctx.db, access.program.id, only, { count, totals });
    return start(access, { kind: 'create_payouts', change, items });
  });

  addProgramRoute(app, ctx, manageStartPartnerChange, async (access, request) => {
    const { status, group_id, from_status, filter = {}, ...chosen } = bodyOf(manageStartPartnerChange, request);
    const { program } = access;
    if (group_id && !(await findGroup(ctx.db, program.id, group_id))) throw errors.groupUnknown();
    const items = await idsOf(chosen, PARTNERS, partnersFor(program, filter), 'partners');
    return start(access, { kind: 'change_partners', change: { status, group_id, from_status }, items });
  });

  addProgramRoute(app, ctx, manageStopBulkAction, async ({ program, actor }, request) => ({
    data: await stopBulkAction(ctx, program, idParam(request, 'bulk_action_id'), actor),
  }));
}
