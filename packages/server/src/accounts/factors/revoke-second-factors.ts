import { insertAuditEvent, OPERATOR } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { reportSecurityChange } from '../report-security-change.ts';
import { accountEvent } from '../revoke-access.ts';
import type { User } from '../user-store.ts';
import { deleteSecondFactors } from './second-factor-store.ts';

/** Removes all second factors of an account whose owner has lost them, on behalf of the operator; returns how many. */
export function revokeSecondFactors(ctx: Context, user: User): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const removed = await deleteSecondFactors(tx, user.id);
    if (removed === 0) return 0;
    const event = await accountEvent(tx, user, 'account.second_factors_removed', OPERATOR);
    await insertAuditEvent(tx, { ...event, before: { removed } }, ctx.now());
    await reportSecurityChange(tx, ctx, user.id, 'second_factors_removed');
    return removed;
  });
}
