import {
  type Complete,
  couponKey,
  manageAddCoupon,
  manageCoupon,
  manageCoupons,
  manageExportCoupons,
  manageUpdateCoupon,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addCoupon, changeCoupon } from '../../../coupons/add-coupon.ts';
import { COUPONS, listCoupons, lockCoupon, selectCoupons } from '../../../coupons/coupon-store.ts';
import type { Selection } from '../../../db/lists/list-query.ts';
import { findRows, findTotals, withId } from '../../../db/lists/sorted-list.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import { ifUnchanged } from '../../entity-tags.ts';
import { idParam } from '../../id-param.ts';
import { idOfCursor } from '../../lists/cursor.ts';
import { expandRows } from '../../lists/expand-rows.ts';
import { addExport } from '../../lists/exports.ts';
import { type QueryOf, scopeOf } from '../../lists/list-filters.ts';
import { pageOf } from '../../lists/page-of.ts';
import { rowReply } from '../../lists/row-reply.ts';
import type { ServiceContext } from '../../service-context.ts';

/** The coupons that match the filters. */
export function couponsFor(access: ProgramAccess, { active, q, ...query }: QueryOf<typeof manageCoupons>): Selection {
  return selectCoupons(scopeOf(access, query), { active, ...(q && { prefix: couponKey(q) }) });
}

export function addManageCouponRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCoupons, async (access, request) => {
    const query = queryOf(manageCoupons, request);
    const selection = couponsFor(access, query);
    const page = { before: idOfCursor(query.cursor), limit: query.limit + 1 };
    const { data, meta } = pageOf(await listCoupons(ctx.db, selection, page), query.limit, ({ id }) => [id]);
    const all = query.totals && { count: (await findTotals(ctx.db, COUPONS, selection)).count };
    return { data: await expandRows(ctx, access, data, query.expand), meta: { ...meta, ...all } };
  });

  addExport(app, ctx, manageExportCoupons, { name: 'coupons', source: COUPONS }, (access, request) =>
    couponsFor(access, queryOf(manageExportCoupons, request)),
  );

  const couponReply = async (access: ProgramAccess, couponId: number, { db } = ctx) =>
    rowReply(await findRows(db, COUPONS, withId(COUPONS, couponsFor(access, {}), couponId), 1));

  addProgramRoute(app, ctx, manageCoupon, async (access, request) => {
    const { data: coupon } = await couponReply(access, idParam(request, 'coupon_id'));
    return rowReply(await expandRows(ctx, access, [coupon], queryOf(manageCoupon, request).expand));
  });

  addProgramRoute(app, ctx, manageAddCoupon, async (access, request) => {
    const body = bodyOf(manageAddCoupon, request);
    const coupon = { code: body.code, partnerId: body.partner_id } satisfies Complete<typeof body>;
    return couponReply(access, await addCoupon(ctx, access.program, coupon, access.actor));
  });

  addProgramRoute(app, ctx, manageUpdateCoupon, async (access, request) => {
    const couponId = idParam(request, 'coupon_id');
    const change = ifUnchanged(ctx, request, async (inside) => {
      await lockCoupon(inside.db, access.program.id, couponId);
      return couponReply(access, couponId, inside);
    });
    await changeCoupon(change, access.program, couponId, bodyOf(manageUpdateCoupon, request), access.actor);
    return couponReply(access, couponId);
  });
}
