import type { Context } from '../../context.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { hashSecretToken } from '../secret-token.ts';
import { deviceKey, deviceName } from './device.ts';
import { insertDevice } from './device-store.ts';

/** Tells people when someone signs in to their account from a device or network that they have not used before. */
export async function recordDevice(
  ctx: Context,
  session: { id: string; userId: string; ipAddress?: string | null; userAgent?: string | null },
): Promise<void> {
  if (!ctx.mail) return;
  const { userId, ipAddress, userAgent } = session;
  const deviceHash = hashSecretToken(deviceKey(userAgent ?? '', ipAddress ?? ''));
  await ctx.db.transaction(async (tx) => {
    if (!(await insertDevice(tx, userId, deviceHash, ctx.now()))) return;
    const fields = {
      device: deviceName(userAgent ?? ''),
      ipAddress: ipAddress || 'unknown',
      at: ctx.now().toISOString(),
    };
    await queueMail(tx, ctx, { kind: 'new_device', cause: session.id, to: { userId }, fields });
  });
}
