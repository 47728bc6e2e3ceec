import {
  type Complete,
  couponKey,
  errors,
  manageAddCoupon,
  manageCoupons,
  manageExportCoupons,
  manageUpdateCoupon,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addCoupon, changeCoupon } from '../../../coupons/add-coupon.ts';
import { COUPONS, findCouponRow, listCoupons, selectCoupons } from '../../../coupons/coupon-store.ts';
import type { Selection } from '../../../db/lists/list-query.ts';
import { findTotals } from '../../../db/lists/sorted-list.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import { idOfCursor } from '../../lists/cursor.ts';
import { addExport } from '../../lists/exports.ts';
import { type QueryOf, scopeOf } from '../../lists/list-filters.ts';
import { pageOf } from '../../lists/page-of.ts';
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
    return { data, meta: { ...meta, ...all } };
  });

  addExport(app, ctx, manageExportCoupons, { name: 'coupons', source: COUPONS }, (access, request) =>
    couponsFor(access, queryOf(manageExportCoupons, request)),
  );

  const couponReply = async (programId: number, couponId: number) => {
    const coupon = await findCouponRow(ctx.db, programId, couponId);
    if (!coupon) throw errors.notFound();
    return { data: coupon };
  };

  addProgramRoute(app, ctx, manageAddCoupon, async ({ program, actor }, request) => {
    const body = bodyOf(manageAddCoupon, request);
    const coupon = { code: body.code, partnerId: body.partner_id } satisfies Complete<typeof body>;
    return couponReply(program.id, await addCoupon(ctx, program, coupon, actor));
  });

  addProgramRoute(app, ctx, manageUpdateCoupon, async ({ program, actor }, request) => {
    const couponId = idParam(request, 'coupon_id');
    await changeCoupon(ctx, program, couponId, bodyOf(manageUpdateCoupon, request), actor);
    return couponReply(program.id, couponId);
  });
}
