import { couponKey, errors, MAX_COUPONS } from '@svc/contract';
import type { Context } from '../context.ts';
import { countCoupons, insertCoupons, type KnownCoupon, listCouponsByKey } from '../coupons/imported-coupon-store.ts';
import type { Transaction } from '../db/db.ts';
import { outcomeOf, type PartOf, partsOf, type RowInProgress } from './import-row.ts';
import { insertImportItems } from './import-store.ts';

/** Gives the partners their coupon codes. */
export async function importCoupons(
  tx: Transaction,
  ctx: Context,
  programId: number,
  importId: number,
  rows: RowInProgress[],
): Promise<void> {
  const parts = partsOf(rows, ({ coupons }) => coupons);
  if (parts.length === 0) return;
  const first = new Map<string, PartOf<string>>();
  for (const asked of parts) if (!first.has(couponKey(asked.part))) first.set(couponKey(asked.part), asked);
  const keys = [...first.keys()];
  const before = byKey(await listCouponsByKey(tx, programId, keys));
  const partnerIds = [...new Set(parts.map(({ partnerId }) => partnerId))];
  const counts = await countCoupons(tx, programId, partnerIds);
  const tooMany = new Set<string>();
  const free = [...first].flatMap(([codeKey, { part, partnerId }]) => {
    if (before.has(codeKey)) return [];
    const count = counts.get(partnerId) ?? 0;
    counts.set(partnerId, count + 1);
    if (count >= MAX_COUPONS) tooMany.add(codeKey);
    return count >= MAX_COUPONS ? [] : [{ programId, partnerId, code: part, codeKey }];
  });
  const created = await insertCoupons(tx, free, ctx.now());
  // Another request may have just taken a code.
  const lost = free.filter(({ codeKey }) => !created.has(codeKey)).map(({ codeKey }) => codeKey);
  const taken = new Map([...before, ...byKey(lost.length > 0 ? await listCouponsByKey(tx, programId, lost) : [])]);
  const idOf = (codeKey: string, partnerId: number) => {
    const known = taken.get(codeKey);
    return created.get(codeKey) ?? (known?.partnerId === partnerId ? known.id : null);
  };
  const items = [...first].flatMap(([codeKey, { partnerId }]) => {
    const itemId = idOf(codeKey, partnerId);
    return itemId === null ? [] : [{ itemId, isNew: created.has(codeKey) }];
  });
  const added = await insertImportItems(tx, importId, 'coupon', items);

  for (const asked of parts) {
    const codeKey = couponKey(asked.part);
    const { coupons } = asked.row.result;
    const id = idOf(codeKey, asked.partnerId);
    const owner = first.get(codeKey) as PartOf<string>;
    const result = { code: asked.part, coupon_id: null };
    if (owner.partnerId !== asked.partnerId) {
      const message = `Row ${owner.row.row} has this code for another partner.`;
      coupons.push({ ...result, outcome: 'refused', message });
    } else if (id === null) {
      const message = tooMany.has(codeKey) ? errors.tooManyCoupons(MAX_COUPONS).message : clashOf(taken.get(codeKey));
      coupons.push({ ...result, outcome: 'refused', message });
    } else {
      const isFirst = owner === asked;
      const outcome = isFirst ? outcomeOf({ isNew: created.has(codeKey), isAdded: added.has(id) }) : 'unchanged';
      coupons.push({ ...result, coupon_id: id, outcome, message: null });
    }
  }
}

const byKey = (known: KnownCoupon[]) => new Map(known.map((each) => [each.codeKey, each]));

const clashOf = (known: KnownCoupon | undefined) =>
  `The code is already a coupon of ${known?.partnerName ?? 'another partner'} in this program.`;
