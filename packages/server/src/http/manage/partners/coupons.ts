import { type Complete, couponKey, errors, manageAddCoupon, manageCoupons, manageUpdateCoupon } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addCoupon, changeCoupon } from '../../../coupons/add-coupon.ts';
import { findCouponRow, listCoupons } from '../../../coupons/coupon-store.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import { idOfCursor } from '../../lists/cursor.ts';
import { scopeOf } from '../../lists/list-filters.ts';
import { pageOf } from '../../lists/page-of.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageCouponRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCoupons, async (access, request) => {
    const { limit, cursor, active, q, ...query } = queryOf(manageCoupons, request);
    const filter = { active, ...(q && { prefix: couponKey(q) }) };
    const page = { before: idOfCursor(cursor), limit: limit + 1 };
    const coupons = await listCoupons(ctx.db, scopeOf(access, query), filter, page);
    return pageOf(coupons, limit, ({ id }) => [id]);
  });

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
