import type { OptionalMailKind } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { deleteUnwanted, insertUnwanted } from '../../mail/preference-store.ts';
import { accountEvent } from '../revoke-access.ts';
import { findUser } from '../user-store.ts';

type Preference = { userId: string; kind: OptionalMailKind; isWanted: boolean };

/** Switches a kind of mail on or off for a person. */
export function changeMailPreference(
  ctx: Context,
  { userId, kind, isWanted }: Preference,
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const isChanged = isWanted
      ? await deleteUnwanted(tx, userId, kind)
      : await insertUnwanted(tx, userId, kind, ctx.now());
    const user = isChanged && (await findUser(tx, userId));
    if (!user) return;
    const event = await accountEvent(tx, user, 'account.mail_changed', actor);
    await insertAuditEvent(tx, { ...event, before: { [kind]: !isWanted }, after: { [kind]: isWanted } }, ctx.now());
  });
}
