import { isOptionalMail, type MailKind, type MailRefusal } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { DAY_MS } from '../time.ts';
import { countMail, ofAddress, ofWorkspace } from './mail-count-store.ts';
import { allowanceOf, MAIL_PROPERTIES, type MailFields, priorityOf } from './mail-kind.ts';
import type { MailQueue } from './mail-queue.ts';
import { countWaitingMails, deleteMails, insertMails, type NewMailRow } from './mail-store.ts';
import { findAddress, findPartnerRecipient, hasProvenAddress, type MailTo } from './recipient-store.ts';

type Contents = { [Kind in MailKind]: { kind: Kind; fields: MailFields[Kind] } }[MailKind];

/** A mail without its recipient. */
export type MailContent = Contents & {
  /** What happened. One cause is one mail to each recipient, however often it is queued. */
  cause: string;
  /** In whose name it is sent; without either, in the name of the service. */
  programId?: number;
  workspaceId?: number;
  /** The account that writes to someone else with it, which must have proven its own address. */
  sentBy?: string | null;
};

export type NewMail = MailContent & { to: MailTo };

type QueueContext = Pick<Context, 'now' | 'mail'>;

/**
 * Queues a mail in the transaction of what causes it. Nothing is sent if that is rolled back, and the queue wakes up when it
 * commits. Where the installation sends no mail, nothing happens. Returns whether it was queued: not if there was one for this
 * cause before, and not beyond the limits of its kind.
 */
export async function queueMail(tx: Queryable, ctx: QueueContext, mail: NewMail): Promise<boolean> {
  return (await queueMails(tx, ctx, [mail])) === 1;
}

/** Queues a mail that a person sends to someone else, and says what spoke against it; null when it was queued. */
export async function queueMailOrSayWhyNot(
  tx: Queryable,
  ctx: QueueContext,
  mail: NewMail,
): Promise<MailRefusal | null> {
  if (!ctx.mail) return 'mail_off';
  let refusal: MailRefusal | null = null;
  await queueMails(tx, ctx, [mail], (why) => {
    refusal = why;
  });
  return refusal;
}

/** Queues several mails, and returns how many of them. */
export async function queueMails(
  tx: Queryable,
  { mail: queue, now }: QueueContext,
  mails: NewMail[],
  sayWhyNot: (why: MailRefusal) => void = () => {},
): Promise<number> {
  if (!queue || mails.length === 0) return 0;
  const refuse = (kind: MailKind, why: MailRefusal) => {
    queue.onRefused(kind);
    sayWhyNot(why);
  };
  const room = await roomIn(tx, queue);
  const wanted: NewMail[] = [];
  for (const mail of mails) {
    if (!room(mail.kind)) refuse(mail.kind, 'queue_full');
    else if (!(await isFromProven(tx, mail))) refuse(mail.kind, 'sender_unconfirmed');
    else wanted.push(mail);
  }
  const inserted = await insertMails(
    tx,
    wanted.map((mail) => toRow(queue, mail, now())),
  );
  // Only new ones count, so they are inserted first.
  const refused: number[] = [];
  const wantedFor = new Map(wanted.map((mail) => [`${mail.kind} ${mail.cause}`, mail]));
  for (const { id, kind, cause } of inserted) {
    const mail = wantedFor.get(`${kind} ${cause}`);
    const limit = mail ? await reachedLimit(tx, mail, now()) : null;
    if (limit === null) continue;
    refused.push(id);
    refuse(kind, limit);
  }
  // Also when there are none: how long it takes must not tell whether an address is proven.
  if (inserted.some(({ kind }) => !isOptionalMail(kind))) await deleteMails(tx, refused);
  const queued = inserted.length - refused.length;
  queue.backlog.count += queued;
  return queued;
}

/** Queues the same mail for several accounts. */
export function queueMailToAll(
  tx: Queryable,
  ctx: QueueContext,
  userIds: string[],
  mail: MailContent,
): Promise<number> {
  return queueMails(
    tx,
    ctx,
    userIds.map((userId) => ({ ...mail, cause: `${mail.cause} ${userId}`, to: { userId } })),
  );
}

/** Queues a mail for the account of a partner. A partner without an account gets none. */
export async function queueMailToPartner(
  tx: Queryable,
  ctx: QueueContext,
  partnerId: number,
  mail: MailContent,
): Promise<void> {
  if (!ctx.mail) return;
  const partner = await findPartnerRecipient(tx, partnerId);
  if (partner?.userId) await queueMail(tx, ctx, { ...mail, to: { userId: partner.userId } });
}

const COUNT_AGAIN_MS = 10_000;

/** Says whether there is room for another mail. They are counted every few seconds, not for every mail. */
async function roomIn(tx: Queryable, { backlog, maxWaiting }: MailQueue) {
  const time = performance.now();
  if (time - backlog.countedAt > COUNT_AGAIN_MS) {
    backlog.countedAt = time;
    backlog.count = await countWaitingMails(tx, 2 * maxWaiting);
  }
  return (kind: MailKind) => backlog.count < (isOptionalMail(kind) ? maxWaiting : 2 * maxWaiting);
}

/** Anyone can sign up with any address, and would write to others in the name of the installation. */
async function isFromProven(tx: Queryable, { sentBy = null }: NewMail): Promise<boolean> {
  return sentBy === null || hasProvenAddress(tx, sentBy);
}

/** Counts the mail for its workspace and for its recipient, and says which of them has had enough. */
async function reachedLimit(
  tx: Queryable,
  { kind, workspaceId, to }: NewMail,
  now: Date,
): Promise<'workspace_limit' | 'recipient_limit' | null> {
  const { perWorkspaceDay } = MAIL_PROPERTIES[kind];
  if (perWorkspaceDay !== undefined && workspaceId !== undefined) {
    const counted = { of: ofWorkspace(workspaceId), kind, since: startOf(now, DAY_MS) };
    if (!(await countMail(tx, counted, perWorkspaceDay))) return 'workspace_limit';
  }
  const recipient = isOptionalMail(kind) ? null : await findAddress(tx, to);
  const allowance = recipient && allowanceOf(kind, recipient.isProven);
  if (!recipient || !allowance) return null;
  const counted = { of: ofAddress(recipient.address), kind, since: startOf(now, allowance.everyMs) };
  return (await countMail(tx, counted, allowance.mails)) ? null : 'recipient_limit';
}

/** When the stretch of time began that a time is in. */
const startOf = (time: Date, everyMs: number) => new Date(Math.floor(time.getTime() / everyMs) * everyMs);

function toRow({ seal }: MailQueue, mail: NewMail, now: Date): NewMailRow {
  return {
    kind: mail.kind,
    cause: mail.cause,
    user_id: 'userId' in mail.to ? mail.to.userId : null,
    address: 'address' in mail.to ? mail.to.address : null,
    program_id: mail.programId ?? null,
    advertiser_id: mail.workspaceId ?? null,
    content_sealed: seal(JSON.stringify(mail.fields)),
    priority: priorityOf(mail.kind),
    due_at: now,
    expires_at: new Date(now.getTime() + MAIL_PROPERTIES[mail.kind].lifetimeMs),
    created_at: now,
  };
}
