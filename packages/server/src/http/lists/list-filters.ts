import type { z } from 'zod';
import type { SaleSearch } from '../../commissions/sale-search-store.ts';
import { hashEmail } from '../../customers/email.ts';
import { EVERYONE, type ProgramScope } from '../../db/lists/list-query.ts';
import type { ProgramAccess } from '../callers/program-access.ts';

/** The filters of a list without its page, so that the list, its export and bulk actions share them. */
export type QueryOf<Route extends { query: z.ZodType }> = Omit<
  z.infer<Route['query']>,
  'limit' | 'cursor' | 'sort' | 'totals' | 'expand'
>;

/** Whose rows the caller gets: partners their own, others those of one partner or of everyone. */
export function scopeOf(access: ProgramAccess, { partner_id: asked }: { partner_id?: number }): ProgramScope {
  const partnerId = access.role === 'partner' ? access.partnerId : (asked ?? EVERYONE);
  return { programId: access.program.id, partnerId };
}

/**
 * The start of a transaction id or of a key, or an e-mail. Partners cannot search by e-mail, nor by keys that are one: they could
 * test who signed up.
 */
export function searchByKey(role: ProgramAccess['role'], q: string, emailSecret: string): SaleSearch {
  const isPartner = role === 'partner';
  return {
    prefix: q,
    ...(isPartner && { withoutEmailKeys: true }),
    ...(!isPartner && q.includes('@') && { emailHash: hashEmail(q, emailSecret) }),
  };
}
