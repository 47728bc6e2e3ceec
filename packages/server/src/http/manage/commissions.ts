import {
  errors,
  manageApprove,
  manageApproveMany,
  manageCommission,
  manageCommissions,
  manageExportCommissions,
  manageReject,
  manageRejectMany,
  manageRestore,
  manageReviewCommissions,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import {
  COMMISSIONS,
  COMMISSIONS_OF_PARTNERS,
  findCommission,
  selectCommissions,
} from '../../commissions/commission-list-store.ts';
import { type Review, reviewCommission, reviewCommissions } from '../../commissions/review-commissions.ts';
import type { Selection } from '../../db/lists/list-query.ts';
import { findRows, findTotals, withId } from '../../db/lists/sorted-list.ts';
import type { Program } from '../../programs/program.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import { expandRows } from '../lists/expand-rows.ts';
import { addExport } from '../lists/exports.ts';
import { type QueryOf, scopeOf, searchByKey } from '../lists/list-filters.ts';
import { maskPaidRows } from '../lists/mask-keys.ts';
import { rowReply } from '../lists/row-reply.ts';
import { sortedPage } from '../lists/sorted-page.ts';
import type { ServiceContext } from '../service-context.ts';
import { reviewSelection } from './review-selection.ts';

/** The commissions that match the filters, as far as the caller may see them. */
export function commissionsFor(
  { emailSecret }: Pick<ServiceContext, 'emailSecret'>,
  access: ProgramAccess,
  { q, ...filter }: QueryOf<typeof manageCommissions>,
): Selection {
  const search = q === undefined ? undefined : searchByKey(access.role, q, emailSecret);
  return selectCommissions(scopeOf(access, filter), { ...filter, search });
}

export function addManageCommissionRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const selectionFor = (access: ProgramAccess, filter: QueryOf<typeof manageCommissions>) =>
    commissionsFor(ctx, access, filter);

  const sourceFor = ({ role }: ProgramAccess) => (role === 'partner' ? COMMISSIONS_OF_PARTNERS : COMMISSIONS);

  addProgramRoute(app, ctx, manageCommissions, async (access, request) => {
    const query = queryOf(manageCommissions, request);
    const selection = selectionFor(access, query);
    const { data, meta } = await sortedPage(ctx.db, sourceFor(access), selection, query);
    const all = query.totals && (await findTotals(ctx.db, COMMISSIONS, selection));
    return { data: await expandRows(ctx, access, maskPaidRows(access, data), query.expand), meta: { ...meta, ...all } };
  });

  addProgramRoute(app, ctx, manageCommission, async (access, request) => {
    const selection = withId(COMMISSIONS, selectionFor(access, {}), idParam(request, 'commission_id'));
    const commissions = maskPaidRows(access, await findRows(ctx.db, sourceFor(access), selection, 1));
    return rowReply(await expandRows(ctx, access, commissions, queryOf(manageCommission, request).expand));
  });

  addExport(
    app,
    ctx,
    manageExportCommissions,
    { name: 'commissions', source: sourceFor, mask: maskPaidRows, isOfMoney: true },
    (access, request) => selectionFor(access, queryOf(manageExportCommissions, request)),
  );

  const review = async (program: Program, commissionId: number, how: Review) => {
    await reviewCommission(ctx, program, commissionId, how);
    const commission = await findCommission(ctx.db, program.id, commissionId);
    if (!commission) throw errors.notFound();
    return { data: commission };
  };
  addProgramRoute(app, ctx, manageApprove, ({ program, actor }, request) =>
    review(program, idParam(request, 'commission_id'), { action: 'approve', actor }),
  );
  addProgramRoute(app, ctx, manageReject, ({ program, actor }, request) => {
    const { reason } = bodyOf(manageReject, request);
    return review(program, idParam(request, 'commission_id'), { action: 'reject', reason, actor });
  });
  addProgramRoute(app, ctx, manageRestore, ({ program, actor }, request) =>
    review(program, idParam(request, 'commission_id'), { action: 'restore', actor }),
  );

  const reviewMany = async (program: Program, ids: number[], how: Review) => {
    const reviewed = await reviewCommissions(ctx, program, ids, how);
    return { data: reviewed.map(({ id, outcome, status }) => ({ id, outcome, status })) };
  };
  addProgramRoute(app, ctx, manageApproveMany, ({ program, actor }, request) =>
    reviewMany(program, bodyOf(manageApproveMany, request).ids, { action: 'approve', actor }),
  );
  addProgramRoute(app, ctx, manageRejectMany, ({ program, actor }, request) => {
    const { ids, reason } = bodyOf(manageRejectMany, request);
    return reviewMany(program, ids, { action: 'reject', reason, actor });
  });

  addProgramRoute(app, ctx, manageReviewCommissions, (access, request) =>
    reviewSelection(ctx, access, bodyOf(manageReviewCommissions, request), (filter) => selectionFor(access, filter)),
  );
}
