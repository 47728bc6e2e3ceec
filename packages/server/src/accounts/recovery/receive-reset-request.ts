import { errors } from '@svc/contract';
import type { Context } from '../../context.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { hashSecretToken } from '../secret-token.ts';

/** Several requests for an address within this time are one mail. */
const ONE_MAIL_MS = 5 * 60_000;

/**
 * Queues a mail with a link for a new password. Whether the address has an account is looked up when the mail is sent, so that
 * the answer and its time are the same for every address.
 */
export async function receiveResetRequest(ctx: Context, email: string): Promise<void> {
  if (!ctx.mail) throw errors.mailOff();
  const address = email.toLowerCase();
  const cause = `${hashSecretToken(address)} ${Math.floor(ctx.now().getTime() / ONE_MAIL_MS)}`;
  await queueMail(ctx.db, ctx, { kind: 'reset_password', cause, to: { address }, fields: {} });
}
