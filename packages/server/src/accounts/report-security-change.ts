import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import type { SecurityChange } from '../mail/mail-kind.ts';
import { queueMail } from '../mail/queue-mail.ts';

/**
 * Tells the owner of an account that a way into it has changed, in the transaction of the change. Nobody can switch it off: it
 * is how they learn that it was someone else.
 */
export async function reportSecurityChange(
  tx: Queryable,
  ctx: Pick<Context, 'now' | 'mail'>,
  userId: string,
  change: SecurityChange,
  name: string | null = null,
): Promise<void> {
  const fields = { change, name, at: ctx.now().toISOString() };
  await queueMail(tx, ctx, { kind: 'security_changed', cause: `${change} ${randomUUID()}`, to: { userId }, fields });
}
