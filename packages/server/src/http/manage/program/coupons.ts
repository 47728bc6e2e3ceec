import { manageAddCoupon, manageCoupons, manageUpdateCoupon, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addCoupon, changeCoupon } from '../../../coupons/add-coupon.ts';
import { type Coupon, couponKey } from '../../../coupons/coupon.ts';
import { listCoupons } from '../../../coupons/coupon-store.ts';
import { idOfCursor } from '../../../reporting/lists/cursor.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';
import { pageOf } from '../page-of.ts';

export function addManageCouponRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCoupons, async ({ program, partnerId }, request) => {
    const { limit, cursor, partner_id: requestedId = null, active, q } = queryOf(manageCoupons, request);
    const filter = { partnerId: partnerId ?? requestedId, active, ...(q && { prefix: couponKey(q) }) };
    const page = { before: idOfCursor(cursor), limit: limit + 1 };
    return pageOf(await listCoupons(ctx.db, program.id, filter, page), limit, toCouponReply);
  });

  addProgramRoute(app, ctx, manageAddCoupon, async ({ program, actor }, request) => {
    const { code, partner_id: partnerId } = bodyOf(manageAddCoupon, request);
    return { data: toCouponReply(await addCoupon(ctx, program, { code, partnerId }, actor)) };
  });

  addProgramRoute(app, ctx, manageUpdateCoupon, async ({ program, actor }, request) => {
    const change = bodyOf(manageUpdateCoupon, request);
    return { data: toCouponReply(await changeCoupon(ctx, program, idParam(request, 'coupon_id'), change, actor)) };
  });
}

function toCouponReply(coupon: Coupon): ReplyRow<typeof manageCoupons> {
  return {
    id: coupon.id,
    code: coupon.code,
    partner_id: coupon.partnerId,
    partner_name: coupon.partnerName,
    active: coupon.active,
    created_at: coupon.createdAt.toISOString(),
  };
}
