import { isIdentifier } from '../../identifier-checks.ts';
import type { ProcessorFact } from '../../processor-fact.ts';
import { at, idOf, present, record } from './fields.ts';

/** The metadata field in which a shop names the coupon itself. */
const FIELD = 'svc_coupon_code';
const MAX_DISCOUNTS = 10;

/**
 * What an object says about the coupon that was used, the surest first: the shop's own word, then the promotion codes and
 * coupons of its discounts. Stripe names those by their ids unless they are expanded.
 */
export function readCouponCodes(object: Record<string, unknown>, metadata: unknown[] = [object.metadata]): string[] {
  const named = metadata.map((source) => at(source, FIELD)).filter(isIdentifier);
  const listed = Array.isArray(object.discounts) ? object.discounts.slice(0, MAX_DISCOUNTS) : [];
  return [...new Set([...named, ...[...listed, object.discount].flatMap(codesOf)])];
}

function codesOf(discount: unknown): string[] {
  const { promotion_code: promotion, coupon, source } = record(discount) ?? {};
  const code = at(promotion, 'code');
  return present([isIdentifier(code) ? code : null, idOf(promotion), idOf(coupon ?? at(source, 'coupon'))]);
}

/** A promotion code, which says how people write it. */
export function readPromotionCode(id: string, { code }: Record<string, unknown>): ProcessorFact {
  return isIdentifier(code)
    ? { kind: 'promotion_code', reference: id, code }
    : { kind: 'ignored', outcome: 'not_used' };
}
