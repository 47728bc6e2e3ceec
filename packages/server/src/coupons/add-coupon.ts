import { couponKey, errors, MAX_COUPONS } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { findPartner } from '../partners/partner-store.ts';
import type { Program } from '../programs/program.ts';
import { countCouponsForUpdate, insertCoupon, updateCouponActive } from './coupon-store.ts';

type CouponProgram = Pick<Program, 'id' | 'workspaceId'>;

/** Gives a partner of the program a code, and returns its id. A code belongs to one partner, however it is written. */
export function addCoupon(
  ctx: Context,
  { id: programId, workspaceId }: CouponProgram,
  { code, partnerId }: { code: string; partnerId: number },
  actor: Actor,
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    if (!(await findPartner(tx, programId, partnerId))) throw errors.notFound();
    if ((await countCouponsForUpdate(tx, programId, partnerId)) >= MAX_COUPONS)
      throw errors.tooManyCoupons(MAX_COUPONS);
    const createdAt = ctx.now();
    const id = await insertCoupon(tx, { programId, partnerId, code, codeKey: couponKey(code) }, createdAt);
    if (id === null) throw errors.couponTaken(code);
    const subject = { type: 'coupon', id, name: code } as const;
    const after = { partner_id: partnerId };
    const event = { workspaceId, programId, actor, action: 'coupon.created', subject, after } as const;
    await insertAuditEvent(tx, event, createdAt);
    return id;
  });
}

/** Switches a coupon on or off. */
export function changeCoupon(
  ctx: Context,
  program: CouponProgram,
  couponId: number,
  change: { active: boolean },
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const outcome = await changeCouponIn(tx, ctx, program, couponId, change, actor);
    if (outcome === 'not_found') throw errors.notFound();
  });
}

/** The same as a part of a transaction. Says what became of it: `done`, or why nothing was changed. */
export async function changeCouponIn(
  tx: Queryable,
  ctx: Context,
  { id: programId, workspaceId }: CouponProgram,
  couponId: number,
  { active }: { active: boolean },
  actor: Actor,
): Promise<'done' | 'unchanged' | 'not_found'> {
  const coupon = await updateCouponActive(tx, programId, couponId, active);
  if (!coupon) return 'not_found';
  if (coupon.active === active) return 'unchanged';
  const subject = { type: 'coupon', id: couponId, name: coupon.code } as const;
  const changed = { before: { active: coupon.active }, after: { active } };
  const event = { workspaceId, programId, actor, action: 'coupon.changed', subject, ...changed } as const;
  await insertAuditEvent(tx, event, ctx.now());
  return 'done';
}
