import type { OptionalMailKind } from '@svc/contract';
import { insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { deleteUnwanted, insertUnwanted } from './preference-store.ts';

type Preference = { userId: string; kind: OptionalMailKind; isWanted: boolean };

/** Switches a kind of mail on or off for a person. */
export function changePreference(
  ctx: Context,
  { userId, kind, isWanted }: Preference,
  requestId: string | null,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const isChanged = isWanted
      ? await deleteUnwanted(tx, userId, kind)
      : await insertUnwanted(tx, userId, kind, ctx.now());
    if (!isChanged) return;
    const event = {
      workspaceId: null,
      actor: { userId, requestId },
      action: isWanted ? 'account.mail_switched_on' : 'account.mail_switched_off',
      subject: { type: 'account', id: userId },
      after: { kind },
    };
    await insertAuditEvent(tx, event, ctx.now());
  });
}
