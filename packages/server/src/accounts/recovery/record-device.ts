import type { Context } from '../../context.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { deviceHash, deviceName } from './device.ts';
import { insertDevice } from './device-store.ts';

/**
 * Remembers where someone has signed in to an account. Attempts from there are counted on their own, and its owner is told about
 * a device or network that was not used before.
 */
export async function recordDevice(
  ctx: Context,
  session: { id: string; userId: string; ipAddress?: string | null; userAgent?: string | null },
): Promise<void> {
  const { userId, ipAddress, userAgent } = session;
  await ctx.db.transaction(async (tx) => {
    const hash = deviceHash(userAgent ?? '', ipAddress ?? '');
    if (!(await insertDevice(tx, userId, hash, ctx.now()))) return;
    const fields = {
      device: deviceName(userAgent ?? ''),
      ipAddress: ipAddress || 'unknown',
      at: ctx.now().toISOString(),
    };
    await queueMail(tx, ctx, { kind: 'new_device', cause: session.id, to: { userId }, fields });
  });
}
