import { isOptionalMail, type MailKind } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { addDays } from '../time.ts';
import { MAIL_PROPERTIES, type MailFields, priorityOf } from './mail-kind.ts';
import type { MailQueue } from './mail-queue.ts';
import { countMailsOf, countWaitingMails, insertMails, type NewMailRow } from './mail-store.ts';
import { findPartnerRecipient } from './recipient-store.ts';

type Contents = { [Kind in MailKind]: { kind: Kind; fields: MailFields[Kind] } }[MailKind];

/** A mail without its recipient. */
export type MailContent = Contents & {
  /** What happened. One cause is one mail to each recipient, however often it is queued. */
  cause: string;
  /** In whose name it is sent; without either, in the name of the service. */
  programId?: number;
  workspaceId?: number;
};

export type NewMail = MailContent & { to: { userId: string } | { address: string } };

type QueueContext = Pick<Context, 'now' | 'mail'>;

/**
 * Queues a mail in the transaction of what causes it. Nothing is sent if that is rolled back, and the queue wakes up when it
 * commits. Where the installation sends no mail, nothing happens.
 */
export async function queueMail(tx: Queryable, ctx: QueueContext, mail: NewMail): Promise<void> {
  await queueMails(tx, ctx, [mail]);
}

export async function queueMails(tx: Queryable, { mail: queue, now }: QueueContext, mails: NewMail[]): Promise<void> {
  if (!queue || mails.length === 0) return;
  const room = await roomIn(tx, queue);
  const allowed: NewMail[] = [];
  for (const mail of mails) {
    if (room(mail.kind) && (await isWithinDay(tx, mail, now()))) allowed.push(mail);
    else queue.onRefused(mail.kind);
  }
  const rows = allowed.map((mail) => toRow(queue, mail, now()));
  queue.backlog.count += await insertMails(tx, rows);
}

/** Queues the same mail for several accounts. */
export function queueMailToAll(tx: Queryable, ctx: QueueContext, userIds: string[], mail: MailContent): Promise<void> {
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

/** Whether the workspace may send another mail of the kind today. */
async function isWithinDay(tx: Queryable, { kind, workspaceId }: NewMail, now: Date): Promise<boolean> {
  const { perWorkspaceDay } = MAIL_PROPERTIES[kind];
  if (perWorkspaceDay === undefined || workspaceId === undefined) return true;
  return (await countMailsOf(tx, kind, workspaceId, addDays(now, -1))) < perWorkspaceDay;
}

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
