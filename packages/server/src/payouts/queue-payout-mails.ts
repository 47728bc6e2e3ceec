import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { type MailContent, queueMails } from '../mail/queue-mail.ts';
import { listPayoutRecipients, type PayoutRecipient } from './payout-store.ts';

type PayoutMail = Extract<MailContent, { kind: `payout_${string}` | 'statement_ready' }>;

/** Tells partners what became of their payouts. Partners without an account get no mail. */
export async function queuePayoutMails(
  tx: Queryable,
  ctx: Context,
  programId: number,
  payoutIds: number[],
  mailOf: (payout: Omit<PayoutRecipient, 'userId'>) => PayoutMail,
): Promise<void> {
  if (!ctx.mail) return;
  const recipients = await listPayoutRecipients(tx, programId, payoutIds);
  const mails = recipients.map(({ userId, ...payout }) => ({ ...mailOf(payout), programId, to: { userId } }));
  await queueMails(tx, ctx, mails);
}
