import { setTimeout as sleep } from 'node:timers/promises';
import { isOptionalMail, type MailKind } from '@svc/contract';
import type { Context } from '../context.ts';
import { deleteUndeliverable, insertUndeliverable } from './address-store.ts';
import { isMailAddress } from './header-text.ts';
import { MAIL_PROPERTIES } from './mail-kind.ts';
import { claimDueMail, type DueMail, updateMailFinished, updateMailRetry } from './mail-store.ts';
import { type Message, SendFailure, type Transport } from './open-transport.ts';
import { restAfterMailMs } from './throttle.ts';
import { type Sender, writeMessage } from './write-message.ts';

export type MailOutcome = 'sent' | 'retried' | 'failed' | 'undeliverable' | 'skipped' | 'refused';

export type SendContext = Context & {
  transport: Transport;
  sender: Sender;
  /** Decrypts what a mail says. */
  unseal: (sealed: string) => string;
  /** Creates a link that resets the password of the account with this address; null when there is none. */
  createResetUrl: (address: string) => Promise<string | null>;
  /** Called after each attempt. */
  onMail: (kind: MailKind, outcome: MailOutcome) => void;
};

const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;

/**
 * Sends due mails one at a time, so that a process that is killed repeats at most one, and rests after each, so that a long
 * queue leaves the store to requests. Stops when none is left, when `isStopping`, or when the mail server cannot be reached,
 * and returns whether it could.
 */
export async function sendDueMails(ctx: SendContext, isStopping = () => false): Promise<{ isReachable: boolean }> {
  while (!isStopping()) {
    const startedAt = performance.now();
    const mail = await claimDueMail(ctx.db, ctx.now());
    if (!mail) break;
    const { isReachable, serverMs } = await sendMail(ctx, mail);
    if (!isReachable) return { isReachable };
    await sleep(restAfterMailMs(performance.now() - startedAt - serverMs));
  }
  return { isReachable: true };
}

/** Whether the mail server could be reached, and how long it took to answer. */
type Attempt = { isReachable: boolean; serverMs: number };

async function sendMail(ctx: SendContext, mail: DueMail): Promise<Attempt> {
  const { recipient } = mail;
  const attempt: Attempt = { isReachable: true, serverMs: 0 };
  const obstacle = obstacleTo(mail, ctx.now());
  if (obstacle) {
    await finish(ctx, mail, 'skipped', obstacle);
    return attempt;
  }
  const address = recipient.address as string;
  try {
    const message = await prepareMessage(ctx, mail, address);
    if (!message) {
      await finish(ctx, mail, 'skipped', 'there is no such account');
      return attempt;
    }
    const askedAt = performance.now();
    await ctx.transport.send(message).finally(() => {
      attempt.serverMs = performance.now() - askedAt;
    });
  } catch (error) {
    return { ...attempt, isReachable: await handleFailure(ctx, mail, address, error as Error) };
  }
  await finish(ctx, mail, 'sent');
  if (recipient.isUndeliverable) await deleteUndeliverable(ctx.db, address);
  return attempt;
}

/** Why a mail should no longer be sent, if there is a reason. What concerns access to an account is always tried. */
function obstacleTo(mail: DueMail, now: Date): string | null {
  const { recipient } = mail;
  if (mail.expiresAt <= now) return 'it could not be sent in time';
  if (recipient.address === null) return 'the account is gone';
  if (!isMailAddress(recipient.address)) return 'the address cannot be written to';
  if (recipient.isSuspended && !MAIL_PROPERTIES[mail.kind].reachesSuspended) return 'the account is suspended';
  if (!isOptionalMail(mail.kind)) return null;
  if (recipient.isUnwanted) return 'the recipient has switched this kind off';
  // Never mail sales or payout data to an unverified address.
  if (!recipient.isVerified) return 'the recipient has not confirmed the address';
  return recipient.isUndeliverable ? 'the address was refused before' : null;
}

async function prepareMessage(ctx: SendContext, mail: DueMail, address: string): Promise<Message | null> {
  const fields = JSON.parse(ctx.unseal(mail.contentSealed));
  const resetUrl = mail.kind === 'reset_password' ? await ctx.createResetUrl(address) : undefined;
  if (resetUrl === null) return null;
  return writeMessage(ctx.sender, { ...mail, address, fields, resetUrl });
}

/** False when the mail server could not be reached. */
async function handleFailure(ctx: SendContext, mail: DueMail, address: string, error: Error): Promise<boolean> {
  if (!(error instanceof SendFailure)) {
    ctx.log.error({ err: error, mailId: mail.id, kind: mail.kind }, 'A mail could not be written');
    await finish(ctx, mail, 'failed', error.message);
    return true;
  }
  if (error.is === 'address') {
    await insertUndeliverable(ctx.db, address, error.message, ctx.now());
    await finish(ctx, mail, 'undeliverable', error.message);
  } else if (error.is === 'message') {
    ctx.log.warn({ mailId: mail.id, kind: mail.kind, cause: error.message }, 'The mail server refused a mail');
    await finish(ctx, mail, 'failed', error.message);
  } else {
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (mail.attempts - 1), LONGEST_RETRY_MS);
    await updateMailRetry(ctx.db, mail.id, new Date(ctx.now().getTime() + delayMs), error.message);
    ctx.onMail(mail.kind, 'retried');
  }
  return error.is !== 'unreachable';
}

async function finish(
  ctx: SendContext,
  mail: DueMail,
  outcome: 'sent' | 'failed' | 'undeliverable' | 'skipped',
  error?: string,
): Promise<void> {
  const state = outcome === 'undeliverable' ? 'failed' : outcome;
  await updateMailFinished(ctx.db, mail.id, { state, ...(error && { error: error.slice(0, 500) }) }, ctx.now());
  ctx.onMail(mail.kind, outcome);
}
