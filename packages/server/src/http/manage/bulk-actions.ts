import {
  type BulkInvitationRow,
  errors,
  MAX_BULK_ROWS,
  manageBulkActionRows,
  manageBulkActions,
  manageExportBulkActionRows,
  manageStartCouponChange,
  manageStartInviting,
  manageStartLinkChange,
  manageStartMarkingPaid,
  manageStartMessage,
  manageStartPartnerChange,
  manageStartPayouts,
  manageStartResending,
  manageStartReview,
  manageStopBulkAction,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findBulkAction, listBulkActions } from '../../bulk-actions/bulk-action-store.ts';
import { bulkRowsFor, countMailed, selectBulkRows } from '../../bulk-actions/bulk-row-store.ts';
import { type AskedBulkAction, startBulkAction } from '../../bulk-actions/start-bulk-action.ts';
import { stopBulkAction } from '../../bulk-actions/stop-bulk-action.ts';
import { COMMISSIONS } from '../../commissions/commission-list-store.ts';
import { COUPONS } from '../../coupons/coupon-store.ts';
import type { Transaction } from '../../db/db.ts';
import type { Selection } from '../../db/lists/list-query.ts';
import { listIds } from '../../db/lists/sorted-list.ts';
import { withoutReplica } from '../../db/report-reader.ts';
import { requireSender, storeMessage } from '../../messages/send-message.ts';
import { findGroup } from '../../partners/groups/group-store.ts';
import { readInvitees } from '../../partners/joining/invite-partners.ts';
import { LINKS } from '../../partners/links/link-list-store.ts';
import { PARTNERS } from '../../partners/partner-list-store.ts';
import { listSeenBalances } from '../../payouts/create-payouts.ts';
import { lockSeenPayouts } from '../../payouts/lock-seen-payouts.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import { idOfCursor } from '../lists/cursor.ts';
import { sendFile } from '../lists/exports.ts';
import { pageOf } from '../lists/page-of.ts';
import { sortedPage } from '../lists/sorted-page.ts';
import type { ServiceContext } from '../service-context.ts';
import { commissionsFor } from './commissions.ts';
import { couponsFor } from './partners/coupons.ts';
import { linksFor } from './partners/links.ts';
import { partnersFor } from './partners/partners.ts';
import { payoutsFor } from './payouts/payouts.ts';
import { inviteUrl } from './team/invitations.ts';

export function addManageBulkActionRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageBulkActions, async ({ program }, request) => {
    const { limit, cursor } = queryOf(manageBulkActions, request);
    const found = await listBulkActions(ctx.db, program.id, { before: idOfCursor(cursor), limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => [id]);
  });

  const start = async ({ program, actor }: ProgramAccess, asked: Omit<AskedBulkAction, 'actor'>) => {
    const id = await startBulkAction(ctx, program, { ...asked, actor });
    const started = await findBulkAction(ctx.db, program.id, id);
    ctx.bulkWorker.wake();
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
    const { reference, filter = {}, ids, count = 0, totals = [] } = bodyOf(manageStartMarkingPaid, request);
    if (count > MAX_BULK_ROWS) throw errors.tooManySelected(MAX_BULK_ROWS);
    const items =
      ids ??
      ((tx: Transaction) => lockSeenPayouts(tx, access.program.id, payoutsFor(access, filter), { count, totals }));
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

  addProgramRoute(app, ctx, manageStartLinkChange, async (access, request) => {
    const { active, deleted, filter = {}, ...chosen } = bodyOf(manageStartLinkChange, request);
    const items = await idsOf(chosen, LINKS, linksFor(access, filter), 'links');
    return start(access, { kind: 'change_links', change: { active, deleted }, items });
  });

  addProgramRoute(app, ctx, manageStartCouponChange, async (access, request) => {
    const { active, filter = {}, ...chosen } = bodyOf(manageStartCouponChange, request);
    const items = await idsOf(chosen, COUPONS, couponsFor(access, filter), 'coupons');
    return start(access, { kind: 'change_coupons', change: { active }, items });
  });

  addProgramRoute(app, ctx, manageStartInviting, async (access, request) => {
    const { partners } = bodyOf(manageStartInviting, request);
    const items = readInvitees(partners).map((invitee, row) => ({ ...invitee, row }));
    return start(access, { kind: 'invite_partners', change: {}, items });
  });

  addProgramRoute(app, ctx, manageStartResending, async (access, request) => {
    const { filter = {}, ...chosen } = bodyOf(manageStartResending, request);
    const ids = await idsOf(chosen, PARTNERS, partnersFor(access.program, filter), 'partners');
    const items = ids.map((partnerId, row) => ({ row, partnerId }));
    return start(access, { kind: 'resend_invitations', change: {}, items });
  });

  addProgramRoute(app, ctx, manageStartMessage, async (access, request) => {
    const { subject, text, filter = {}, ...chosen } = bodyOf(manageStartMessage, request);
    const { program, userId } = access;
    await requireSender(ctx, userId);
    const partnerIds = await idsOf(chosen, PARTNERS, partnersFor(program, filter), 'partners');
    const message = { subject, text, sentBy: userId, partnerIds };
    const items = (tx: Transaction) => storeMessage(tx, ctx, program, message);
    return start(access, { kind: 'message_partners', change: { subject }, items });
  });

  /** The rows of a bulk action of the program, with links instead of sealed tokens. */
  const rowsOf = async ({ program, actor }: ProgramAccess, request: FastifyRequest) => {
    const id = idParam(request, 'bulk_action_id');
    if (!(await findBulkAction(ctx.db, program.id, id))) throw errors.notFound();
    const shown = (rows: BulkInvitationRow[]) =>
      rows.map((row) => ({
        ...row,
        invite_url: row.invite_url && inviteUrl(ctx, ctx.encryption.open(row.invite_url)),
      }));
    return { id, source: bulkRowsFor(actor), selection: selectBulkRows(program.id, id), shown };
  };

  addProgramRoute(app, ctx, manageBulkActionRows, async (access, request) => {
    const { id, source, selection, shown } = await rowsOf(access, request);
    const query = { ...queryOf(manageBulkActionRows, request), sort: 'row' } as const;
    const { data, meta } = await sortedPage(ctx.db, source, selection, query);
    return { data: shown(data), meta: { ...meta, ...(await countMailed(ctx.db, access.program.id, id)) } };
  });

  addProgramRoute(app, ctx, manageExportBulkActionRows, async (access, request, reply) => {
    const { source, selection, shown } = await rowsOf(access, request);
    const { format } = queryOf(manageExportBulkActionRows, request);
    const file = { name: `${access.program.slug}-invitations`, source, format };
    return sendFile({ ...ctx, reports: withoutReplica(ctx.db) }, reply, file, selection, shown);
  });

  addProgramRoute(app, ctx, manageStopBulkAction, async ({ program, actor }, request) => ({
    data: await stopBulkAction(ctx, program, idParam(request, 'bulk_action_id'), actor),
  }));
}
